# gradwatch-corpus: kind=inplace-modified
# holder: self.bank | self.memory.bank | learner.memory.bank
# first-bad: 6
"""Contrastive embedding of storm regimes with a ring memory of past fields."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class RegimeConfig:
    levels: int = 3
    size: int = 12
    embed: int = 24
    batch: int = 16
    memory: int = 96
    temperature: float = 0.2
    steps: int = 100
    lr: float = 2e-3


class FieldEncoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.conv = nn.Conv2d(cfg.levels, 16, 3, stride=2, padding=1)
        self.project = nn.Linear(16 * (cfg.size // 2) ** 2, cfg.embed)

    def forward(self, fields):
        hidden = F.silu(self.conv(fields)).flatten(1)
        return F.normalize(self.project(hidden), dim=1)


class RegimeMemory:
    def __init__(self, cfg):
        self.bank = torch.zeros(cfg.memory, cfg.embed)
        self.cursor = 0
        self.stored = 0

    @property
    def full(self):
        return self.stored >= self.bank.shape[0]

    def similarity(self, anchors):
        return anchors @ self.bank.t()  # <- culprit

    def enqueue(self, embeddings):
        count = embeddings.shape[0]
        self.bank[self.cursor:self.cursor + count] = embeddings.detach()  # <- culprit
        self.cursor = (self.cursor + count) % self.bank.shape[0]
        self.stored = min(self.stored + count, self.bank.shape[0])


class RegimeLearner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.encoder = FieldEncoder(cfg)
        self.memory = RegimeMemory(cfg)
        self.optimizer = torch.optim.Adam(self.encoder.parameters(), lr=cfg.lr)

    def contrast(self, anchors, partners):
        positive = (anchors * partners).sum(dim=1, keepdim=True)
        if self.memory.full:
            negative = self.memory.similarity(anchors)
        else:
            negative = anchors @ partners.roll(1, dims=0).t()
        self.memory.enqueue(partners)  # <- culprit
        logits = torch.cat([positive, negative], dim=1) / self.cfg.temperature
        target = torch.zeros(len(anchors), dtype=torch.long)
        return F.cross_entropy(logits, target)

    def step(self, fields):
        anchors = self.encoder(fields + 0.1 * torch.randn_like(fields))
        partners = self.encoder(fields.flip(-1))
        loss = self.contrast(anchors, partners)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    torch.manual_seed(19)
    cfg = RegimeConfig()
    learner = RegimeLearner(cfg)
    regimes = torch.randn(8, cfg.levels, cfg.size, cfg.size)
    for step in range(cfg.steps):
        which = torch.randint(0, len(regimes), (cfg.batch,))
        fields = regimes[which] + 0.5 * torch.randn(cfg.batch, cfg.levels, cfg.size, cfg.size)
        loss = learner.step(fields)
        if step % 3 == 0:
            print(f"step {step:3d} contrast {loss:.4f}")


if __name__ == "__main__":
    main()
