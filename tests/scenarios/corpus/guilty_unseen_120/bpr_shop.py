# gradwatch-corpus: kind=graph-held
# holder: self.total | board.meters["bpr"].total | board["bpr"].total | m.total | meter.total
# first-bad: 1
# notice: 8
from __future__ import annotations

from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(2024)


@dataclass
class Cfg:
    users: int = 40
    items: int = 60
    dim: int = 8
    batch: int = 16
    epochs: int = 12
    lr: float = 0.05
    l2: float = 1e-4


@dataclass
class Meter:
    total: float = 0.0
    count: int = 0

    def add(self, value, n=1):
        self.total = self.total + value * n  # <- culprit
        self.count += n

    @property
    def avg(self) -> float:
        return float(self.total) / max(self.count, 1)


@dataclass
class Board:
    meters: dict[str, Meter] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Meter:
        return self.meters.setdefault(name, Meter())

    def log(self, n: int, **values):
        for name, v in values.items():
            self[name].add(v, n)

    def __str__(self):
        return " | ".join(f"{k} {m.avg:.4f}" for k, m in self.meters.items())


class Clicks(Dataset):
    def __init__(self, cfg: Cfg):
        taste = torch.randn(cfg.users, 3) @ torch.randn(3, cfg.items)
        self.liked = taste.topk(8, dim=1).indices
        self.cfg = cfg

    def __len__(self):
        return self.cfg.users * 8

    def __getitem__(self, i):
        u = i // 8
        neg = int(torch.randint(0, self.cfg.items, ()))
        return u, self.liked[u, i % 8], neg


class MF(nn.Module):
    def __init__(self, cfg: Cfg):
        super().__init__()
        self.u = nn.Embedding(cfg.users, cfg.dim)
        self.i = nn.Embedding(cfg.items, cfg.dim)
        self.b = nn.Embedding(cfg.items, 1)
        for e in (self.u, self.i):
            nn.init.normal_(e.weight, std=0.1)
        nn.init.zeros_(self.b.weight)

    def score(self, u, i):
        return (self.u(u) * self.i(i)).sum(-1) + self.b(i).squeeze(-1)

    def forward(self, u, pos, neg):
        diff = self.score(u, pos) - self.score(u, neg)
        reg = self.u(u).square().sum(-1) + self.i(pos).square().sum(-1)
        return -F.logsigmoid(diff).mean(), reg.mean(), (diff > 0).float().mean()


@torch.no_grad()
def recall_at(model, data, k=8):
    scores = model.u.weight @ model.i.weight.T + model.b.weight.T
    top = scores.topk(k, dim=1).indices
    hit = (top[:, :, None] == data.liked[:, None, :]).any(-1).float()
    return hit.mean().item()


def fit(cfg: Cfg):
    data = Clicks(cfg)
    loader = DataLoader(data, batch_size=cfg.batch, shuffle=True)
    model = MF(cfg)
    opt = torch.optim.Adagrad(model.parameters(), lr=cfg.lr)
    board = Board()
    for epoch in range(cfg.epochs):
        for u, pos, neg in loader:
            bpr, reg, auc = model(u, pos, neg)
            opt.zero_grad()
            (bpr + cfg.l2 * reg).backward()
            opt.step()
            board.log(len(u), bpr=bpr, auc=auc.item())
        if epoch % 3 == 2:
            print(f"[{epoch + 1:02d}] {board} | recall {recall_at(model, data):.3f}")
    return model, board


if __name__ == "__main__":
    fit(Cfg())
