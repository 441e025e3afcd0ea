# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
# notice: 0
"""Advantage actor-critic for a planar gripper reaching task."""
from collections import namedtuple

import torch
from torch import nn

Rollout = namedtuple("Rollout", "obs action reward last")


class Reach:
    def __init__(self, n):
        self.n = n
        self.reset()

    def reset(self):
        self.pos = torch.rand(self.n, 2) * 2 - 1
        self.goal = torch.rand(self.n, 2) * 2 - 1
        return self.observe()

    def observe(self):
        return torch.cat([self.pos, self.goal, self.goal - self.pos], -1)

    def step(self, action):
        self.pos = (self.pos + 0.1 * action.clamp(-1, 1)).clamp(-1.5, 1.5)
        return self.observe(), -(self.goal - self.pos).norm(dim=-1)


class Agent(nn.Module):
    def __init__(self, obs=6, act=2, hid=32):
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(obs, hid), nn.Tanh(), nn.Linear(hid, act))
        self.v = nn.Sequential(nn.Linear(obs, hid), nn.Tanh(), nn.Linear(hid, 1))
        self.log_std = nn.Parameter(torch.full((act,), -0.5))

    def dist(self, obs):
        return torch.distributions.Normal(self.pi(obs), self.log_std.exp())

    def value(self, obs):
        return self.v(obs).squeeze(-1)


def collect(env, agent, horizon):
    obs, buf = env.reset(), []
    for _ in range(horizon):
        with torch.no_grad():
            act = agent.dist(obs).sample()
        nxt, rew = env.step(act)
        buf.append((obs, act, rew))
        obs = nxt
    o, a, r = (torch.stack(t) for t in zip(*buf))
    return Rollout(o, a, r, obs)


def returns(rollout, agent, gamma=0.95):
    with torch.no_grad():
        run = agent.value(rollout.last)
    out = []
    for r in rollout.reward.flip(0):
        run = r + gamma * run
        out.append(run)
    return torch.stack(out[::-1])


class A2C:
    def __init__(self, agent):
        self.agent = agent
        self.pi_opt = torch.optim.Adam([*agent.pi.parameters(), agent.log_std], lr=3e-3)
        self.v_opt = torch.optim.Adam(agent.v.parameters(), lr=5e-3)

    def update(self, rollout):
        target = returns(rollout, self.agent)
        adv = target - self.agent.value(rollout.obs)  # <- culprit
        v_loss = adv.pow(2).mean()
        self.v_opt.zero_grad()
        v_loss.backward(retain_graph=True)
        self.v_opt.step()  # <- culprit

        d = self.agent.dist(rollout.obs)
        pi_loss = -(d.log_prob(rollout.action).sum(-1) * adv).mean()  # <- culprit
        pi_loss = pi_loss - 1e-3 * d.entropy().mean()
        self.pi_opt.zero_grad()
        pi_loss.backward()  # <- culprit
        self.pi_opt.step()
        return rollout.reward.mean().item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    algo, env = A2C(Agent()), Reach(16)
    for it in range(80):
        score = algo.update(collect(env, algo.agent, 10))
        if it % 20 == 0:
            print(it, round(score, 3))
