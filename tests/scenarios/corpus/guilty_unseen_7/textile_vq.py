# gradwatch-corpus: kind=inplace-modified
# holder: self.words | self.book.words | model.book.words
# first-bad: 150
"""Codebook autoencoder for fabric patches; used to spot weaving faults by reconstruction error.

Words are frozen for the first steps (k-means style start) and follow the encoder afterwards.
"""
import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Plan:
    words: int = 48
    dim: int = 12
    settle: int = 150
    total: int = 360
    rows: int = 64
    beta: float = 0.25
    memory: float = 0.97


class Book(nn.Module):
    """Soft-to-hard assignment with running word averages."""

    def __init__(self, plan):
        super().__init__()
        self.plan = plan
        self.register_buffer("words", torch.randn(plan.words, plan.dim) * 0.5)
        self.register_buffer("mass", torch.ones(plan.words))
        self.register_buffer("age", torch.zeros((), dtype=torch.long))

    def logits(self, z):
        return 2 * z @ self.words.T - self.words.pow(2).sum(1) - z.pow(2).sum(1, keepdim=True)

    @torch.no_grad()
    def follow(self, z, pick):
        m = self.plan.memory
        one = F.one_hot(pick, self.plan.words).float()
        count = one.sum(0)
        self.mass.lerp_(count, 1 - m)
        used = count > 0
        center = (one.T @ z)[used] / count[used, None]
        self.words[used] = m * self.words[used] + (1 - m) * center  # <- culprit

    def forward(self, z):
        scores = self.logits(z)
        soft = F.softmax(scores / 0.5, 1)
        pick = scores.argmax(1)
        hard = F.one_hot(pick, self.plan.words).float()
        mixed = (hard + soft - soft.detach()) @ self.words
        if self.training:
            self.age += 1
            if self.age > self.plan.settle:
                self.follow(z, pick)  # <- culprit
        return mixed, pick


class PatchCoder(nn.Module):
    def __init__(self, plan, side=12):
        super().__init__()
        n = side * side
        self.down = nn.Sequential(nn.Linear(n, 96), nn.ELU(), nn.Linear(96, plan.dim))
        self.book = Book(plan)
        self.up = nn.Sequential(nn.Linear(plan.dim, 96), nn.ELU(), nn.Linear(96, n))

    def forward(self, x):
        z = self.down(x)
        q, pick = self.book(z)
        return self.up(q), z, q, pick


def weave(rows, gen, side=12):
    y, x = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
    kind = torch.randint(2, 6, (rows, 1, 1), generator=gen)
    turn = torch.rand(rows, 1, 1, generator=gen) * math.pi
    warp = torch.sin(2 * math.pi * x / kind + turn) * torch.cos(2 * math.pi * y / (8 - kind))
    return (warp + 0.15 * torch.randn(warp.shape, generator=gen)).flatten(1)


def main(plan=Plan()):
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(2)
    model = PatchCoder(plan).train()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for n in range(plan.total):
        patch = weave(plan.rows, gen)
        back, z, q, pick = model(patch)
        fit = F.mse_loss(back, patch)
        near = F.mse_loss(z, q.detach())
        opt.zero_grad()
        (fit + plan.beta * near).backward()
        opt.step()
        if n % 30 == 0:
            print(f"{n:4d} fit {fit.item():.4f} near {near.item():.4f} words in use {pick.unique().numel()}")


if __name__ == "__main__":
    main()
