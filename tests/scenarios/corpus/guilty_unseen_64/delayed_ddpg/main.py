# gradwatch-corpus: kind=inplace-modified
# holder: self.critic.net[2].weight | agent.critic.net[2].weight | pi
# first-bad: 3
# notice: 0
"""Continuous control of a damped double integrator."""
import argparse

import torch

from agent import DelayedDDPG
from replay import Ring


class Integrator:
    def __init__(self, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.reset()

    def reset(self):
        self.state = torch.randn(2, generator=self.g)
        self.t = 0
        return self.observe()

    def observe(self):
        return torch.cat([self.state, self.state.abs()])

    def step(self, action):
        pos, vel = self.state
        vel = 0.95 * vel + 0.2 * action[0]
        self.state = torch.stack([pos + 0.2 * vel, vel]).clamp(-3, 3)
        self.t += 1
        reward = -(self.state[0] ** 2) - 0.05 * action[0] ** 2
        return self.observe(), reward, self.t >= 25


def interact(env, agent, ring, obs, steps):
    total = 0.0
    for _ in range(steps):
        act = agent.act(obs)
        nxt, rew, done = env.step(act)
        ring.push(obs, act, rew, nxt)
        total += float(rew)
        obs = env.reset() if done else nxt
    return obs, total / steps


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=150)
    ap.add_argument("--batch", type=int, default=32)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(11)
    env, ring = Integrator(), Ring(512, 4, 1)
    agent = DelayedDDPG(4, 1)
    obs, _ = interact(env, agent, ring, env.reset(), 64)
    for it in range(args.iters):
        obs, reward = interact(env, agent, ring, obs, 4)
        td = agent.update(ring.sample(args.batch), it)
        if it % 25 == 0:
            print(f"it {it:4d} reward {reward:+.3f} td {td:.4f}")


if __name__ == "__main__":
    main()
