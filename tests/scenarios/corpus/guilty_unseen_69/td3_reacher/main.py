# gradwatch-corpus: kind=inplace-modified
# holder: critic.first.net.2.weight | critic.first.net.4.weight | self.critic.first.net.2.weight | self.critic.first.net.4.weight | self.critic.first.net.0.weight | critic.first.net.0.weight | agent.critic.first.net.0.weight | agent.critic.first.net.2.weight | agent.critic.first.net.4.weight | actor_loss | losses.actor | self.critic
# first-bad: 1
# notice: 1
"""Off-policy control of a point reacher with twin critics and a delayed actor."""
import argparse

import torch

from agent import TwinAgent
from replay import Replay


class Reacher:
    """Move a point towards a goal with bounded pushes."""

    def __init__(self, horizon=25):
        self.horizon = horizon

    def reset(self):
        self.pos, self.goal, self.t = torch.randn(2), torch.randn(2), 0

    def step(self, action):
        self.pos = self.pos + 0.2 * action.clamp(-1, 1)
        self.t += 1
        reward = -(self.pos - self.goal).norm().item()
        return self.state, reward, self.t >= self.horizon

    @property
    def state(self):
        return torch.cat([self.pos, self.goal])


def interact(env, agent, replay, explore):
    state = env.state
    action = agent.act(state, explore)
    following, reward, done = env.step(action)
    replay.push(state, action, reward, following, done)
    if done:
        env.reset()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--warmup", type=int, default=100)
    ap.add_argument("--updates", type=int, default=120)
    ap.add_argument("--batch", type=int, default=32)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(33)

    env, replay = Reacher(), Replay(capacity=2000)
    env.reset()
    agent = TwinAgent(state_dim=4, action_dim=2)
    for _ in range(args.warmup):
        interact(env, agent, replay, explore=1.0)
    for k in range(args.updates):
        interact(env, agent, replay, explore=0.3)
        info = agent.update(replay.sample(args.batch))
        if k % 20 == 0:
            print(k, {name: round(v, 3) for name, v in info.items()})


if __name__ == "__main__":
    main()
