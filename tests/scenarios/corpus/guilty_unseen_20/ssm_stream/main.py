# gradwatch-corpus: kind=graph-chain
# holder: self._state | runner._state | state
# first-bad: 1
"""Streaming forecaster: a diagonal state-space model fed with four-sample blocks of an endless multi-sensor signal."""
from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from layers import Forecaster


@dataclass(slots=True)
class Settings:
    iterations: int = 210
    block: int = 4
    streams: int = 16
    sensors: int = 3
    width: int = 24
    lr: float = 4e-3
    seed: int = 17


def signal(cfg: Settings) -> Iterator[tuple[Tensor, Tensor]]:
    """Blocks of (current, next) samples of drifting sinusoids."""
    gen = torch.Generator().manual_seed(cfg.seed)
    freq = 0.05 + 0.25 * torch.rand(cfg.streams, 1, cfg.sensors, generator=gen)
    phase = 2 * math.pi * torch.rand(cfg.streams, 1, cfg.sensors, generator=gen)
    t0 = 0
    while True:
        t = torch.arange(t0, t0 + cfg.block + 1).view(1, -1, 1)
        x = torch.sin(freq * t + phase) + 0.05 * torch.randn(cfg.streams, cfg.block + 1, cfg.sensors, generator=gen)
        yield x[:, :-1], x[:, 1:]
        t0 += cfg.block


class StreamRunner:
    def __init__(self, cfg: Settings) -> None:
        self._cfg = cfg
        self._model = Forecaster(cfg.sensors, cfg.width)
        self._opt = torch.optim.Adam(self._model.parameters(), lr=cfg.lr)
        self._state: Tensor = self._model.initial_state(cfg.streams)
        self._ewma: float | None = None

    def advance(self, x: Tensor, target: Tensor) -> float:
        pred, self._state = self._model(x, self._state)  # <- culprit
        loss = (pred - target).square().mean()
        self._opt.zero_grad(set_to_none=True)
        # the state is needed again by the following block
        loss.backward(retain_graph=True)  # <- culprit
        torch.nn.utils.clip_grad_norm_(self._model.parameters(), 1.0)
        self._opt.step()
        value = loss.item()
        self._ewma = value if self._ewma is None else 0.95 * self._ewma + 0.05 * value
        return self._ewma


def main(cfg: Settings | None = None) -> None:
    cfg = cfg or Settings()
    torch.manual_seed(cfg.seed)
    runner = StreamRunner(cfg)
    for i, (x, target) in zip(range(cfg.iterations), signal(cfg)):
        smooth = runner.advance(x, target)
        if (i + 1) % 70 == 0:
            print(f"block {i + 1:>4}  mse {smooth:.4f}")


if __name__ == "__main__":
    main()
