# gradwatch-corpus: kind=none
from dataclasses import dataclass
from typing import Optional

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Setup:
    cells: int = 20
    ticks: int = 3360
    window: int = 8
    dt: float = 0.2
    lr: float = 0.03


class Conductivity(nn.Module):
    def __init__(self, n: int):
        super().__init__()
        self.raw = nn.Parameter(torch.zeros(n, n))

    def forward(self) -> torch.Tensor:
        return 0.05 + 0.9 * torch.sigmoid(self.raw)


def divergence(k: torch.Tensor, u: torch.Tensor) -> torch.Tensor:
    p = F.pad(u[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
    c = p[1:-1, 1:-1]
    return k * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * c)


def heater(t: int, n: int) -> torch.Tensor:
    src = torch.zeros(n, n)
    src[(3 * t // 10) % n, (7 * t // 10) % n] = 1.0
    return src


class Assimilator:
    def __init__(self, cfg: Setup):
        self.cfg, self.field = cfg, Conductivity(cfg.cells)
        self.opt = torch.optim.Adam(self.field.parameters(), lr=cfg.lr)
        self.u = torch.zeros(cfg.cells, cfg.cells)
        self.misfit: Optional[torch.Tensor] = None
        self.curve = []

    def tick(self, t: int, observed: torch.Tensor, mask: torch.Tensor) -> None:
        self.u = self.u + self.cfg.dt * divergence(self.field(), self.u) + 0.1 * heater(t, self.cfg.cells)
        term = ((self.u - observed) * mask).pow(2).sum()
        self.misfit = term if self.misfit is None else self.misfit + term
        if (t + 1) % self.cfg.window == 0:
            self.flush(observed)

    def flush(self, observed: torch.Tensor) -> None:
        self.opt.zero_grad()
        self.misfit.backward()
        self.opt.step()
        self.curve.append(self.misfit.item())
        self.misfit = None
        self.u = torch.lerp(self.u.detach(), observed, 0.5)


def main(cfg: Setup) -> None:
    torch.manual_seed(31)
    truth = 0.1 + 0.6 * torch.rand(cfg.cells // 5, cfg.cells // 5).repeat_interleave(5, 0).repeat_interleave(5, 1)
    mask = (torch.rand(cfg.cells, cfg.cells) < 0.4).float()
    real, job = torch.zeros(cfg.cells, cfg.cells), Assimilator(cfg)
    for t in range(cfg.ticks):
        real = real + cfg.dt * divergence(truth, real) + 0.1 * heater(t, cfg.cells)
        job.tick(t, real, mask)
        if (t + 1) % 560 == 0:
            gap = (job.field().detach() - truth).abs().mean()
            print(t + 1, f"misfit {job.curve[-1]:.5f} gap {gap.item():.4f}")


main(Setup())
