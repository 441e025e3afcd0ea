# gradwatch-corpus: kind=none
from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(2)


class Callback(Protocol):
    def on_batch(self, loss: torch.Tensor) -> None: ...


@dataclass
class PlateauWatch:
    opt: torch.optim.Optimizer
    size: int = 8
    factor: float = 0.98
    floor: float = 5e-4
    recent: deque = field(init=False)

    def __post_init__(self) -> None:
        self.recent = deque(maxlen=self.size)

    def on_batch(self, loss: torch.Tensor) -> None:
        self.recent.append(loss)
        if len(self.recent) == self.size and self._slope() > -1e-3:
            for g in self.opt.param_groups:
                g["lr"] = max(self.floor, g["lr"] * self.factor)

    def _slope(self) -> float:
        ys = torch.stack(list(self.recent))
        xs = torch.arange(self.size, dtype=ys.dtype) - (self.size - 1) / 2
        return ((xs * ys).sum() / (xs * xs).sum()).item()


@dataclass
class Extremes:
    low: float = float("inf")
    high: float = float("-inf")

    def on_batch(self, loss: torch.Tensor) -> None:
        v = float(loss)
        self.low, self.high = min(v, self.low), max(v, self.high)


class Soil(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(8, 16), nn.Hardswish(), nn.Linear(16, 3))

    def forward(self, spectra):
        return self.layers(spectra).softmax(-1)


def cycle(model, opt, callbacks: list[Callback], n):
    basis = torch.rand(3, 8)
    for _ in range(n):
        mix = torch.distributions.Dirichlet(torch.ones(3)).sample((20,))
        spectra = mix @ basis + 0.01 * torch.randn(20, 8)
        kl = nn.functional.kl_div(model(spectra).log(), mix, reduction="batchmean")
        opt.zero_grad()
        kl.backward()
        opt.step()
        for c in callbacks:
            c.on_batch(kl)


soil = Soil()
adam = torch.optim.Adam(soil.parameters(), lr=0.01)
extremes = Extremes()
cycle(soil, adam, [PlateauWatch(adam), extremes], 900)
print(round(extremes.low, 4), round(extremes.high, 4))
