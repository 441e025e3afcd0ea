from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

from bank import EmbeddingBank


@dataclass
class Settings:
    n_items: int = 400
    dim: int = 20
    width: int = 32
    batch: int = 32
    steps: int = 80
    capacity: int = 8
    warmup: int = 10
    tau: float = 0.15
    lr: float = 3e-3
    seed: int = 4


class MatchingJob:
    def __init__(self, s: Settings):
        self.s = s
        self.net = nn.Sequential(nn.Linear(s.dim, s.width), nn.ReLU(), nn.Linear(s.width, s.width))
        self.bank = EmbeddingBank(s.capacity, s.warmup)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=s.lr)

    def embed(self, x):
        return F.normalize(self.net(x), dim=1)

    def contrast(self, left, right):
        keys = right
        if self.bank.ready:
            keys = torch.cat([right, self.bank.negatives()])
        logits = left @ keys.t() / self.s.tau
        return F.cross_entropy(logits, torch.arange(len(left)))

    def step(self, pair):
        left, right = map(self.embed, pair)
        loss = self.contrast(left, right)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.bank.push(right)  # <- culprit
        return loss.item()

    def run(self, catalog):
        for i in range(self.s.steps):
            value = self.step(catalog.pairs(self.s.batch))
            if i % 5 == 0:
                print(f"step {i:3d} loss {value:.4f} bank {len(self.bank)}")
