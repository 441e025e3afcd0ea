# gradwatch-corpus: kind=none
"""River stage forecasting on a continuous gauge record; truncated BPTT in windows."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterator

import torch
from torch import Tensor, nn


@dataclass
class HydroConfig:
    gauges: int = 16
    forcings: int = 3
    hidden: int = 40
    window: int = 6
    hours: int = 480
    lr: float = 3e-3


class StatefulMixin:
    """Carries recurrent state between calls and cuts it on request."""

    state: tuple[Tensor, Tensor] | None = None

    def truncate(self) -> None:
        if self.state is not None:
            self.state = tuple(part.detach() for part in self.state)


class GaugeLSTM(StatefulMixin, nn.Module):
    def __init__(self, cfg: HydroConfig) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(cfg.forcings + 1, cfg.hidden)
        self.head = nn.Linear(cfg.hidden, 1)

    def forward(self, forcing: Tensor, stage: Tensor) -> Tensor:
        self.state = self.cell(torch.cat([forcing, stage], dim=-1), self.state)
        return stage + self.head(self.state[0])


class Catchment:
    def __init__(self, cfg: HydroConfig) -> None:
        self.cfg = cfg
        self.storage = torch.rand(cfg.gauges, 1)

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
        for hour in range(self.cfg.hours):
            rain = torch.relu(torch.randn(self.cfg.gauges, 1) - 1.0)
            season = torch.full_like(rain, math.sin(hour / 24))
            noise = torch.randn_like(rain)
            before = self.storage
            self.storage = 0.95 * before + 0.3 * rain + 0.02 * season
            yield torch.cat([rain, season, noise], dim=1), before, self.storage


class WindowedLoss:
    """Collects terms until a window is full."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.terms: list[Tensor] = []

    def add(self, term: Tensor) -> bool:
        self.terms.append(term)
        return len(self.terms) == self.size

    def drain(self) -> Tensor:
        total = torch.stack(self.terms).mean()
        self.terms.clear()
        return total


def main() -> None:
    torch.manual_seed(61)
    cfg = HydroConfig()
    model = GaugeLSTM(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    window = WindowedLoss(cfg.window)
    record: list[float] = []
    for forcing, stage, following in Catchment(cfg):
        prediction = model(forcing, stage)
        if not window.add((prediction - following).square().mean()):
            continue
        loss = window.drain()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        model.truncate()
        record.append(loss.item())
    print(f"windows {len(record)} first {record[0]:.4f} last {record[-1]:.4f}")


if __name__ == "__main__":
    main()
