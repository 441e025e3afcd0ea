# gradwatch-corpus: kind=graph-held
# holder: self.scores | threshold.scores
# first-bad: 1
"""Autoencoder on pump vibration spectra with an adaptive alarm threshold."""
from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Deque

import torch
from torch import Tensor, nn


@dataclass
class PumpConfig:
    n_samples: int = 512
    batch: int = 48
    latent: int = 12
    steps: int = 150
    window: int = 4000
    level: float = 0.99
    lr: float = 2e-3
    fault_rate: float = 0.02


class VibrationSource:
    def __init__(self, cfg: PumpConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self) -> tuple[Tensor, Tensor]:
        cfg = self.cfg
        t = torch.arange(cfg.n_samples) / cfg.n_samples
        rpm = 24 + 2 * torch.rand(cfg.batch, 1, generator=self.gen)
        wave = torch.sin(2 * torch.pi * rpm * t) + 0.4 * torch.sin(4 * torch.pi * rpm * t)
        faulty = torch.rand(cfg.batch, generator=self.gen) < cfg.fault_rate
        bearing = 0.8 * torch.sin(2 * torch.pi * 97.0 * t)
        wave = wave + faulty[:, None] * bearing
        wave = wave + 0.2 * torch.randn(wave.shape, generator=self.gen)
        spec = torch.fft.rfft(wave).abs()[:, 1:]
        return spec.log1p(), faulty


class SpectrumAE(nn.Module):
    def __init__(self, bins: int, latent: int) -> None:
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(bins, 128), nn.SiLU(), nn.Linear(128, latent))
        self.dec = nn.Sequential(nn.Linear(latent, 128), nn.SiLU(), nn.Linear(128, bins))

    def forward(self, x: Tensor) -> Tensor:
        return self.dec(self.enc(x))


class AdaptiveThreshold:
    """Empirical quantile over the most recent scores."""

    def __init__(self, window: int, level: float) -> None:
        self.level = level
        self.scores: Deque[Tensor] = deque(maxlen=window)

    def update(self, score: Tensor) -> None:
        self.scores.append(score)  # <- culprit

    @torch.no_grad()
    def value(self) -> float:
        if not self.scores:
            return float("inf")
        return torch.quantile(torch.cat(list(self.scores)), self.level).item()


def run(cfg: PumpConfig) -> None:
    torch.manual_seed(2)
    source = VibrationSource(cfg, seed=41)
    model = SpectrumAE(cfg.n_samples // 2, cfg.latent)
    optim = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    threshold = AdaptiveThreshold(cfg.window, cfg.level)
    hits = 0
    faults = 0

    for step in range(cfg.steps):
        spec, faulty = source.draw()
        score = (model(spec) - spec).square().mean(dim=1)
        limit = threshold.value()
        alarm = score.detach() > limit
        hits += int((alarm & faulty).sum())
        faults += int(faulty.sum())

        weight = (~alarm).float()
        loss = (score * weight).sum() / weight.sum().clamp_min(1.0)
        optim.zero_grad(set_to_none=True)
        loss.backward()
        optim.step()
        threshold.update(score)  # <- culprit
        if (step + 1) % 30 == 0:
            print(f"step {step + 1:4d}  loss {loss.item():.4f}  limit {limit:.4f}  hits {hits}/{faults}")


if __name__ == "__main__":
    run(PumpConfig())
