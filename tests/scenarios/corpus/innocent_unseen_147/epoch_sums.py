# gradwatch-corpus: kind=none
from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(53)


@dataclass
class EpochReport:
    number: int
    parts: dict[str, torch.Tensor] = field(default_factory=dict)
    batches: int = 0

    def add(self, **losses: torch.Tensor) -> None:
        for k, v in losses.items():
            self.parts[k] = self.parts[k] + v if k in self.parts else v
        self.batches += 1

    def close(self) -> dict[str, float]:
        return {k: v.item() / self.batches for k, v in self.parts.items()}


class History:
    def __init__(self) -> None:
        self.rows: list[dict[str, float]] = []

    def record(self, report: EpochReport) -> None:
        self.rows.append(report.close())


class BeatVae(nn.Module):
    def __init__(self, n=12, z=2):
        super().__init__()
        self.enc = nn.Linear(n, 2 * z)
        self.dec = nn.Sequential(nn.Linear(z, 12), nn.Tanh(), nn.Linear(12, n))

    def forward(self, x):
        mu, lv = self.enc(x).chunk(2, 1)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        rec = (self.dec(z) - x).pow(2).sum(1).mean()
        kl = -0.5 * (1 + lv - mu.pow(2) - lv.exp()).sum(1).mean()
        return rec, kl


class BeatTrainer:
    def __init__(self) -> None:
        self.vae = BeatVae()
        self.opt = torch.optim.Adam(self.vae.parameters(), lr=4e-3)
        self.history = History()
        t = torch.linspace(0, 3.14, 12)
        self.waves = torch.stack([torch.sin(t * (1 + k % 4)) * (0.5 + 0.1 * (k % 7)) for k in range(60)])

    def _batch(self, x, report) -> None:
        rec, kl = self.vae(x)
        self.opt.zero_grad()
        (rec + 0.2 * kl).backward()
        self.opt.step()
        report.add(rec=rec, kl=kl)

    def epoch(self, number) -> None:
        report = EpochReport(number)
        for idx in torch.randperm(60).split(5):
            self._batch(self.waves[idx], report)
        self.history.record(report)


trainer = BeatTrainer()
for n in range(60):
    trainer.epoch(n)
print(trainer.history.rows[0], trainer.history.rows[-1])
