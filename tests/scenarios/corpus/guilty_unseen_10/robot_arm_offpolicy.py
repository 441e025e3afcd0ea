# gradwatch-corpus: kind=graph-held
# holder: self.memory | self.replay.memory | agent.replay.memory | replay.memory | self.memory[-1].logp | self.replay.memory[-1].logp | agent.replay.memory[-1].logp | e.logp | Experience.logp
# first-bad: 1
"""Reaching with a two-joint planar arm; importance-weighted policy gradient over a replay memory, so that the
real arm has to move less. Simulated here."""
import math
import random
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.distributions import Normal


@dataclass(frozen=True)
class Experience:
    obs: torch.Tensor
    action: torch.Tensor
    logp: torch.Tensor
    reward: float


class PlanarArm:
    """N arms at once; the action is a change of both joints' angles, one move per episode."""

    LINKS = (0.6, 0.4)

    def __init__(self, n, seed):
        self.n = n
        self.g = torch.Generator().manual_seed(seed)

    def tip(self, q):
        a, b = q[:, 0], q[:, 0] + q[:, 1]
        l1, l2 = self.LINKS
        return torch.stack([l1 * a.cos() + l2 * b.cos(), l1 * a.sin() + l2 * b.sin()], dim=1)

    def reset(self):
        self.q = (torch.rand(self.n, 2, generator=self.g) - 0.5) * math.pi
        offset = (torch.rand(self.n, 2, generator=self.g) - 0.5) * 1.2
        self.goal = self.tip(self.q + offset)
        return torch.cat([self.q.cos(), self.q.sin(), self.goal - self.tip(self.q)], dim=1)

    def step(self, action):
        reached = self.tip(self.q + action)
        return -(reached - self.goal).norm(dim=1)


class Replay:
    def __init__(self, capacity, seed):
        self.memory = deque(maxlen=capacity)
        self.rng = random.Random(seed)

    def push(self, obs, action, logp, reward):
        for i in range(len(reward)):
            self.memory.append(Experience(obs[i], action[i], logp[i], float(reward[i])))  # <- culprit

    def sample(self, k):
        picked = self.rng.sample(self.memory, min(k, len(self.memory)))
        return (
            torch.stack([e.obs for e in picked]),
            torch.stack([e.action for e in picked]),
            torch.stack([e.logp for e in picked]).detach(),
            torch.tensor([e.reward for e in picked]),
        )

    def __len__(self):
        return len(self.memory)


class GaussianPolicy(nn.Module):
    def __init__(self, obs=6, act=2, hidden=48):
        super().__init__()
        self.mean = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, act))
        self.log_std = nn.Parameter(torch.full((act,), -1.0))

    def dist(self, obs):
        return Normal(self.mean(obs), self.log_std.exp())

    def act(self, obs):
        d = self.dist(obs)
        action = d.sample()
        return action, d.log_prob(action).sum(-1)  # <- culprit


class Agent:
    def __init__(self, clip=2.0, batch=96):
        self.policy = GaussianPolicy()
        self.value = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 1))
        self.opt = torch.optim.Adam([*self.policy.parameters(), *self.value.parameters()], lr=2e-3)
        self.replay = Replay(capacity=50_000, seed=23)
        self.clip = clip
        self.batch = batch

    def collect(self, arms):
        obs = arms.reset()
        action, logp = self.policy.act(obs)
        reward = arms.step(action)
        self.replay.push(obs, action, logp, reward)
        return reward.mean().item()

    def update(self):
        obs, action, old_logp, reward = self.replay.sample(self.batch)
        d = self.policy.dist(obs)
        logp = d.log_prob(action).sum(-1)
        v = self.value(obs).squeeze(-1)
        advantage = (reward - v).detach()
        ratio = (logp - old_logp).exp().clamp(max=self.clip)
        loss = -(ratio * advantage).mean() + 0.5 * (reward - v).pow(2).mean() - 1e-3 * d.entropy().mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main(iterations=300):
    torch.manual_seed(12)
    arms = PlanarArm(n=24, seed=31)
    agent = Agent()
    for it in range(iterations):
        reward = agent.collect(arms)
        loss = agent.update()
        if it % 60 == 0:
            print(f"it {it:4d}  reward {reward:+.3f}  loss {loss:+.4f}  memory {len(agent.replay)}")


if __name__ == "__main__":
    main()
