# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
"""Gearbox temperature of a wind turbine from a set of sensors, with a sensor outage curriculum."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Optional

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class CurriculumStage:
    name: str
    steps: int
    outage: float


@dataclass(frozen=True)
class TurbineConfig:
    sensors: int = 12
    readings: int = 6
    dim: int = 20
    batch: int = 40
    lr: float = 2e-3
    stages: tuple[CurriculumStage, ...] = (
        CurriculumStage("commissioned", 40, 0.0),
        CurriculumStage("first winter", 40, 0.15),
        CurriculumStage("offshore", 40, 0.35),
    )


class SensorAttention(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.query = nn.Parameter(torch.randn(dim) / math.sqrt(dim))
        self.key = nn.Linear(dim, dim)
        self.value = nn.Linear(dim, dim)

    def forward(self, tokens: Tensor, offline: Optional[Tensor] = None) -> tuple[Tensor, Tensor]:
        energy = self.key(tokens) @ self.query / math.sqrt(tokens.shape[-1])
        weights = torch.softmax(energy, dim=1)
        if offline is not None and offline.any():
            weights[offline] = 0.0  # <- culprit
            weights = weights / weights.sum(dim=1, keepdim=True).clamp_min(1e-6)
        pooled = (weights.unsqueeze(-1) * self.value(tokens)).sum(dim=1)
        return pooled, weights


class GearboxModel(nn.Module):
    def __init__(self, cfg: TurbineConfig) -> None:
        super().__init__()
        self.embed = nn.Linear(cfg.readings, cfg.dim)
        self.position = nn.Parameter(0.1 * torch.randn(cfg.sensors, cfg.dim))
        self.attend = SensorAttention(cfg.dim)
        self.mean = nn.Linear(cfg.dim, 1)
        self.log_var = nn.Linear(cfg.dim, 1)

    def forward(self, readings: Tensor, offline: Optional[Tensor]) -> tuple[Tensor, Tensor, Tensor]:
        tokens = torch.tanh(self.embed(readings) + self.position)
        pooled, weights = self.attend(tokens, offline)
        return self.mean(pooled).squeeze(1), self.log_var(pooled).squeeze(1).clamp(-4, 4), weights


class ScadaReplay:
    def __init__(self, cfg: TurbineConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.truth = torch.randn(cfg.sensors, cfg.readings, generator=self.gen) * 0.2

    def draw(self, outage: float) -> tuple[Tensor, Tensor, Tensor]:
        x = torch.randn(self.cfg.batch, self.cfg.sensors, self.cfg.readings, generator=self.gen)
        temp = (x * self.truth).sum(dim=(1, 2))
        offline = torch.rand(self.cfg.batch, self.cfg.sensors, generator=self.gen) < outage
        return x.masked_fill(offline.unsqueeze(-1), 0.0), offline, temp


class BestOf:
    def __init__(self) -> None:
        self.score = math.inf
        self.where = ""

    def offer(self, score: float, where: str) -> None:
        if score < self.score:
            self.score = score
            self.where = where


def gaussian_nll(mean: Tensor, log_var: Tensor, temp: Tensor) -> Tensor:
    return 0.5 * (log_var + (temp - mean).pow(2) / log_var.exp()).mean()


def run(cfg: TurbineConfig) -> None:
    torch.manual_seed(500)
    replay = ScadaReplay(cfg, seed=501)
    model = GearboxModel(cfg)
    opt = torch.optim.NAdam(model.parameters(), lr=cfg.lr)
    best = BestOf()
    for stage in cfg.stages:
        for k in range(stage.steps):
            readings, offline, temp = replay.draw(stage.outage)
            mean, log_var, weights = model(readings, offline)
            loss = gaussian_nll(mean, log_var, temp)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 2.0)
            opt.step()
            best.offer(loss.item(), f"{stage.name}#{k}")
        sharp = weights.detach().max(dim=1).values.mean().item()
        print(f"{stage.name}: nll {loss.item():.4f} sharpest weight {sharp:.3f} best {best.score:.4f} ({best.where})")


if __name__ == "__main__":
    run(TurbineConfig())
