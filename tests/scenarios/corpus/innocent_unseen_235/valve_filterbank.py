# gradwatch-corpus: kind=none
"""Leak sounds of pneumatic valves, classified with a learnable band-pass filter bank."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class BankConfig:
    rates: tuple[int, ...] = (8000, 12000, 16000)
    filters: int = 24
    taps: int = 65
    samples: int = 1024
    batch: int = 6
    steps: int = 70
    lr: float = 1e-2


class SincBank(nn.Module):
    """Impulse responses are built once per update and shared by all the sensors of a step."""

    def __init__(self, cfg: BankConfig) -> None:
        super().__init__()
        self.cfg = cfg
        low = torch.linspace(100.0, 3000.0, cfg.filters)
        self.low = nn.Parameter(low / 1000.0)
        self.log_band = nn.Parameter(torch.full((cfg.filters,), math.log(0.3)))
        half = (cfg.taps - 1) // 2
        self.register_buffer("lag", torch.arange(-half, half + 1).float())
        self.register_buffer("taper", torch.hamming_window(cfg.taps, periodic=False))
        self._kernels: dict[int, Tensor] = {}

    def kernels(self, rate: int) -> Tensor:
        cached: Optional[Tensor] = self._kernels.get(rate)
        if cached is None:
            lo = 1000.0 * self.low.abs()[:, None] / rate
            hi = lo + 1000.0 * self.log_band.exp()[:, None] / rate
            cached = 2 * hi * torch.sinc(2 * hi * self.lag) - 2 * lo * torch.sinc(2 * lo * self.lag)
            cached = (cached * self.taper).unsqueeze(1)
            self._kernels[rate] = cached
        return cached

    def invalidate(self) -> None:
        self._kernels.clear()

    def forward(self, wave: Tensor, rate: int) -> Tensor:
        out = F.conv1d(wave.unsqueeze(1), self.kernels(rate), stride=4)
        return out.square().mean(dim=-1).add(1e-6).log()


class ValveNet(nn.Module):
    def __init__(self, cfg: BankConfig) -> None:
        super().__init__()
        self.bank = SincBank(cfg)
        self.norm = nn.BatchNorm1d(cfg.filters)
        self.head = nn.Linear(cfg.filters, 3)

    def forward(self, wave: Tensor, rate: int) -> Tensor:
        return self.head(self.norm(self.bank(wave, rate)))


def record(cfg: BankConfig, rate: int) -> tuple[Tensor, Tensor]:
    label = torch.randint(3, (cfg.batch,))
    t = torch.arange(cfg.samples) / rate
    tone = torch.tensor([400.0, 1100.0, 2300.0])[label][:, None]
    wave = torch.sin(2 * math.pi * (tone + 60 * torch.randn(cfg.batch, 1)) * t)
    return wave + 0.7 * torch.randn(wave.shape), label


def main() -> None:
    torch.manual_seed(81)
    cfg = BankConfig()
    net = ValveNet(cfg)
    optim = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    for step in range(cfg.steps):
        losses: list[Tensor] = []
        hits = 0
        for _ in range(2):
            for rate in cfg.rates:
                wave, label = record(cfg, rate)
                logits = net(wave, rate)
                losses.append(F.cross_entropy(logits, label))
                hits += int((logits.argmax(dim=1) == label).sum())
        loss = torch.stack(losses).mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
        net.bank.invalidate()
        if step % 10 == 9:
            acc = hits / (2 * len(cfg.rates) * cfg.batch)
            print(f"{step + 1:3d}  loss {loss.item():.4f}  acc {acc:.2f}")


if __name__ == "__main__":
    main()
