# gradwatch-corpus: kind=second-backward
# holder: self.directions | model.directions | run.model.directions
# first-bad: 1
# notice: 0
"""Prototype clustering of sleep epochs without labels (SwAV with two crops)."""
import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


@dataclass
class Args:
    seed: int = 60
    samples: int = 240
    channels: int = 2
    length: int = 40
    dim: int = 12
    prototypes: int = 8
    epsilon: float = 0.1
    tau: float = 0.2
    epochs: int = 15
    batch: int = 24


class SleepEncoder(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.gru = nn.GRU(a.channels, a.dim, batch_first=True)
        self.head = nn.Linear(a.dim, a.dim)

    def forward(self, x):
        _, h = self.gru(x.transpose(1, 2))
        return F.normalize(self.head(h[0]), dim=1)


class Swav(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.a = a
        self.encoder = SleepEncoder(a)
        self.prototypes = nn.Parameter(torch.randn(a.prototypes, a.dim) / math.sqrt(a.dim))
        self.directions = None

    def refresh(self):
        self.directions = F.normalize(self.prototypes, dim=1)  # <- culprit

    def scores(self, crop):
        return self.encoder(crop) @ self.directions.t()

    @torch.no_grad()
    def assign(self, s):
        q = torch.exp(s / self.a.epsilon).t()
        q /= q.sum()
        K, B = q.shape
        for _ in range(3):
            q /= q.sum(1, keepdim=True) * K
            q /= q.sum(0, keepdim=True) * B
        return (q * B).t()

    def forward(self, one, two):
        s1, s2 = self.scores(one), self.scores(two)
        loss = 0.0
        for q, p in ((self.assign(s1), s2), (self.assign(s2), s1)):
            loss = loss - (q * F.log_softmax(p / self.a.tau, 1)).sum(1).mean()
        return loss / 2


class Run:
    def __init__(self, a):
        self.a = a
        self.model = Swav(a)
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.1, momentum=0.9)
        stage = torch.randint(1, 5, (a.samples, 1, 1))
        t = torch.arange(a.length) / a.length
        self.data = torch.sin(2 * math.pi * stage * t + torch.rand(a.samples, a.channels, 1)) + 0.2 * torch.randn(a.samples, a.channels, a.length)

    def crop(self, x):
        size = int(self.a.length * 0.7)
        i = int(torch.randint(0, self.a.length - size, ()))
        return x[..., i:i + size] * (0.8 + 0.4 * torch.rand(len(x), 1, 1))

    def on_epoch_start(self, epoch):
        self.model.refresh()
        for g in self.opt.param_groups:
            g["lr"] = 0.05 * (1 + math.cos(math.pi * epoch / self.a.epochs))

    def train(self):
        for epoch in range(self.a.epochs):
            self.on_epoch_start(epoch)
            for idx in torch.randperm(self.a.samples).split(self.a.batch):
                x = self.data[idx]
                loss = self.model(self.crop(x), self.crop(x))
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
            print(epoch, loss.item())


if __name__ == "__main__":
    a = Args()
    torch.manual_seed(a.seed)
    run = Run(a)
    run.train()
