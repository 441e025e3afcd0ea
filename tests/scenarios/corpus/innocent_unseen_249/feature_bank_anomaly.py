# gradwatch-corpus: kind=none
"""Self-supervised anomaly embedding with a ring-buffer memory of normal features."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class BankConfig:
    channels: int = 4
    length: int = 40
    embed: int = 16
    batch: int = 32
    slots: int = 512
    steps: int = 120
    temperature: float = 0.2
    lr: float = 2e-3


class RingBank:
    def __init__(self, slots, width):
        self.data = F.normalize(torch.randn(slots, width), dim=-1)
        self.cursor = 0

    def push(self, rows):
        rows = rows.detach()
        index = (self.cursor + torch.arange(rows.size(0))) % self.data.size(0)
        self.data[index] = rows
        self.cursor = (self.cursor + rows.size(0)) % self.data.size(0)

    def view(self):
        return self.data.clone()


class Embedder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.conv = nn.Conv1d(cfg.channels, 24, 7, stride=2, padding=3)
        self.proj = nn.Linear(24, cfg.embed)

    def forward(self, x):
        h = F.relu(self.conv(x)).mean(-1)
        return F.normalize(self.proj(h), dim=-1)


class NormalSignals:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(27)

    def views(self):
        cfg = self.cfg
        rate = torch.rand(cfg.batch, cfg.channels, 1, generator=self.gen)
        base = torch.sin(rate * torch.arange(cfg.length))
        noise_a = 0.1 * torch.randn(base.shape, generator=self.gen)
        noise_b = 0.1 * torch.randn(base.shape, generator=self.gen)
        return base + noise_a, base + noise_b


class BankTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.embedder = Embedder(cfg)
        self.bank = RingBank(cfg.slots, cfg.embed)
        self.signals = NormalSignals(cfg)
        self.optimizer = torch.optim.AdamW(self.embedder.parameters(), lr=cfg.lr)

    def step(self):
        left, right = self.signals.views()
        query = self.embedder(left)
        key = self.embedder(right)
        positive = (query * key).sum(-1, keepdim=True)
        negative = query @ self.bank.view().t()
        logits = torch.cat([positive, negative], dim=1) / self.cfg.temperature
        loss = F.cross_entropy(logits, torch.zeros(query.size(0), dtype=torch.long))
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.bank.push(key)
        return loss.item()

    @torch.no_grad()
    def score(self, x):
        return 1 - (self.embedder(x) @ self.bank.data.t()).topk(5, dim=-1).values.mean(-1)


def main():
    torch.manual_seed(20)
    trainer = BankTrainer(BankConfig())
    for step in range(trainer.cfg.steps):
        loss = trainer.step()
        if step % 30 == 0:
            left, _ = trainer.signals.views()
            odd = trainer.score(torch.randn_like(left)).mean().item()
            usual = trainer.score(left).mean().item()
            print(f"{step:3d} nce {loss:.4f} normal {usual:.3f} odd {odd:.3f}")


if __name__ == "__main__":
    main()
