from __future__ import annotations

from typing import Iterable

import torch
from torch import nn

from kpi import FleetConfig
from metrics import MetricRegistry


class KpiAutoencoder(nn.Module):
    def __init__(self, cfg: FleetConfig) -> None:
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(cfg.kpis, cfg.width), nn.ELU(), nn.Linear(cfg.width, cfg.latent))
        self.decode = nn.Sequential(nn.Linear(cfg.latent, cfg.width), nn.ELU(), nn.Linear(cfg.width, cfg.kpis))

    def forward(self, kpi: torch.Tensor) -> torch.Tensor:
        return self.decode(self.encode(kpi))


class AlarmEngine:
    def __init__(self, cfg: FleetConfig, registry: MetricRegistry) -> None:
        self.cfg = cfg
        self.net = KpiAutoencoder(cfg)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, T_max=cfg.hours)
        self.registry = registry
        registry.declare("recon", "mean")
        registry.declare("anomaly/p95", "peak")
        registry.declare("lr", "last")

    def score(self, kpi: torch.Tensor, rebuilt: torch.Tensor) -> torch.Tensor:
        return (rebuilt - kpi).abs().mean(dim=1)

    def hourly(self, kpi: torch.Tensor) -> None:
        keep = torch.rand_like(kpi) > self.cfg.masking
        rebuilt = self.net(kpi * keep)
        scores = self.score(kpi, rebuilt)
        trimmed = scores[scores <= scores.detach().quantile(0.97)]
        loss = trimmed.mean()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.sched.step()
        self.registry.push("recon", loss.item())
        self.registry.push("anomaly/p95", scores.quantile(0.95))  # <- culprit
        self.registry.push("lr", self.sched.get_last_lr()[0])

    def run(self, fleet: Iterable[torch.Tensor]) -> None:
        for hour, kpi in enumerate(fleet):
            self.hourly(kpi)
            if hour % 48 == 47:
                print(f"day {hour // 24 + 1}")
                print(self.registry.report())
