# gradwatch-corpus: kind=second-backward
# holder: self.rows | memory.rows | self.memory.rows | runner.memory.rows | self.rows[u] | self.memory.rows[u] | self.rows[user]
# first-bad: 21
"""Next-item ranking with per-user memory rows that go live after a warmup phase."""
from dataclasses import dataclass
from enum import Enum
from typing import Dict

import torch
from torch import nn
from torch.nn import functional as F


class Phase(Enum):
    WARMUP = "warmup"
    LIVE = "live"


@dataclass
class FeedConfig:
    users: int = 12
    items: int = 80
    dim: int = 20
    history: int = 6
    warmup: int = 20
    steps: int = 120
    lr: float = 3e-3


class UserMemory:
    def __init__(self, dim):
        self.rows: Dict[int, torch.Tensor] = {}
        self.blank = torch.zeros(dim)

    def gather(self, users):
        picked = [self.rows.get(u, self.blank) for u in users]  # <- culprit
        return torch.stack(picked)

    def scatter(self, users, values):
        for u, row in zip(users, values):
            self.rows[u] = row  # <- culprit


class FeedModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.items = nn.Embedding(cfg.items, cfg.dim)
        self.reader = nn.GRU(cfg.dim, cfg.dim, batch_first=True)
        self.fuse = nn.Linear(2 * cfg.dim, cfg.dim)

    def encode(self, clicks):
        _, last = self.reader(self.items(clicks))
        return last.squeeze(0)

    def forward(self, clicks, memory):
        joint = torch.cat([self.encode(clicks), memory], dim=-1)
        return torch.tanh(self.fuse(joint))

    def rank(self, query):
        return query @ self.items.weight.t()


class ClickFeed:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(37)

    def draw(self):
        cfg = self.cfg
        start = torch.randint(cfg.items, (cfg.users, 1), generator=self.gen)
        stride = torch.arange(1, cfg.users + 1).view(-1, 1)
        walk = (start + stride * torch.arange(cfg.history + 1)) % cfg.items
        return list(range(cfg.users)), walk[:, :-1], walk[:, -1]


class RankingRunner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = FeedModel(cfg)
        self.memory = UserMemory(cfg.dim)
        self.feed = ClickFeed(cfg)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.iteration = 0

    @property
    def phase(self):
        if self.iteration < self.cfg.warmup:
            return Phase.WARMUP
        return Phase.LIVE

    def step(self):
        users, clicks, nxt = self.feed.draw()
        state = self.memory.gather(users)
        query = self.model(clicks, state)
        loss = F.cross_entropy(self.model.rank(query), nxt)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        if self.phase is Phase.LIVE:
            self.memory.scatter(users, query)  # <- culprit
        self.iteration += 1
        return loss.item()


def main():
    torch.manual_seed(23)
    runner = RankingRunner(FeedConfig())
    for _ in range(runner.cfg.steps):
        value = runner.step()
        if runner.iteration % 10 == 0:
            print(f"{runner.phase.value} it={runner.iteration} ce={value:.4f}")


if __name__ == "__main__":
    main()
