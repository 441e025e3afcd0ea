from dataclasses import dataclass
from typing import Iterator

import torch


@dataclass(frozen=True)
class FleetConfig:
    kpis: int = 24
    cells_per_hour: int = 128
    hours: int = 150
    latent: int = 6
    width: int = 64
    lr: float = 1e-3
    masking: float = 0.15


class CellFleet:
    """Hourly KPI snapshots with a daily load rhythm and some sick cells."""

    def __init__(self, cfg: FleetConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.mixing = torch.randn(cfg.latent, cfg.kpis, generator=self.gen)

    def __iter__(self) -> Iterator[torch.Tensor]:
        for hour in range(self.cfg.hours):
            load = 1.0 + 0.5 * torch.sin(torch.tensor(hour * 0.26))
            z = torch.randn(self.cfg.cells_per_hour, self.cfg.latent, generator=self.gen) * load
            kpi = z @ self.mixing + 0.1 * torch.randn(self.cfg.cells_per_hour, self.cfg.kpis, generator=self.gen)
            sick = torch.rand(self.cfg.cells_per_hour, generator=self.gen) < 0.03
            kpi[sick] += 3.0
            yield kpi
