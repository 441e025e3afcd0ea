# gradwatch-corpus: kind=none
"""Recurrent A2C in a grid with a hidden goal. Episodes come out of a generator, with their graphs, and are used up one by one."""
import random
from collections import deque
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical

MOVES = ((0, 1), (0, -1), (1, 0), (-1, 0))


class Grid:
    def __init__(self, size=5, limit=14):
        self.size, self.limit = size, limit

    def reset(self):
        self.pos, self.t = (self.size // 2, self.size // 2), 0
        self.goal = (random.randrange(self.size), random.randrange(self.size))
        return self.view(0.0)

    def view(self, bump):
        d = abs(self.pos[0] - self.goal[0]) + abs(self.pos[1] - self.goal[1])
        s = self.size - 1
        return torch.tensor([[self.pos[0] / s, self.pos[1] / s, d / (2 * s), bump]])

    def step(self, a):
        x, y = self.pos[0] + MOVES[a][0], self.pos[1] + MOVES[a][1]
        ok = 0 <= x < self.size and 0 <= y < self.size
        if ok:
            self.pos = (x, y)
        self.t += 1
        won = self.pos == self.goal
        return self.view(0.0 if ok else 1.0), (1.0 if won else -0.05), won or self.t >= self.limit


@dataclass
class Episode:
    log_probs: list = field(default_factory=list)
    values: list = field(default_factory=list)
    entropies: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def returns(self, gamma):
        out, g = [], 0.0
        for r in reversed(self.rewards):
            g = r + gamma * g
            out.append(g)
        return torch.tensor(out[::-1])


class Policy(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.cell = nn.GRUCell(4, hidden)
        self.pi, self.v = nn.Linear(hidden, 4), nn.Linear(hidden, 1)
        self.hidden = hidden
        self.h = None

    def begin(self):
        self.h = torch.zeros(1, self.hidden)

    def forward(self, obs):
        self.h = self.cell(obs, self.h)
        return Categorical(logits=self.pi(self.h)), self.v(self.h).squeeze()


def episodes(env, policy):
    while True:
        ep = Episode()
        obs, done = env.reset(), False
        policy.begin()
        while not done:
            dist, value = policy(obs)
            a = dist.sample()
            ep.log_probs.append(dist.log_prob(a).squeeze())
            ep.values.append(value)
            ep.entropies.append(dist.entropy().squeeze())
            obs, r, done = env.step(a.item())
            ep.rewards.append(r)
        yield ep


class ReturnScale:
    """Running scale of the returns, as a tensor, updated in place."""

    def __init__(self, beta=0.99):
        self.var, self.beta = torch.ones(()), beta

    def __call__(self, g):
        self.var.mul_(self.beta).add_((1 - self.beta) * g.pow(2).mean())
        return g / (self.var.sqrt() + 1e-6)


def loss_of(ep, scale, gamma=0.97):
    g = scale(ep.returns(gamma))
    values = torch.stack(ep.values)
    adv = g - values
    actor = -(torch.stack(ep.log_probs) * adv.detach()).mean()
    return actor + 0.5 * adv.pow(2).mean() - 0.01 * torch.stack(ep.entropies).mean()


def main(iterations=300):
    random.seed(8)
    torch.manual_seed(8)
    policy = Policy()
    opt = torch.optim.RMSprop(policy.parameters(), lr=2e-3)
    scale = ReturnScale()
    recent = deque(maxlen=50)
    for it, ep in zip(range(iterations), episodes(Grid(), policy)):
        loss = loss_of(ep, scale)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        opt.step()
        recent.append(sum(ep.rewards))
        if it % 75 == 74:
            print(f"{it + 1:4d}  return {sum(recent) / len(recent):+.3f}  loss {loss.item():+.3f}")


if __name__ == "__main__":
    main()
