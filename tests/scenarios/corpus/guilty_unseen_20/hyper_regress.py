# gradwatch-corpus: kind=second-backward
# holder: self._generated | model._generated | self._generated[key] | model._generated[key] | weights | hit
# first-bad: 61
"""Hyper-network that writes the weights of a small regressor per device class; calibration-curve use case.
Generating is the expensive part, so after the warm-up a generated set serves for a few steps."""
from __future__ import annotations

import math
from typing import Callable

import torch
from torch import Tensor, nn

N_CLASSES = 5
Weights = tuple[Tensor, Tensor, Tensor, Tensor]


def refresh_schedule(warmup: int, period: int) -> Callable[[int], int]:
    """step -> generation number; during the warm-up every step is a generation of its own."""
    return lambda step: step if step < warmup else warmup + (step - warmup) // period


class HyperNet(nn.Module):
    def __init__(self, embed: int = 8, hidden: int = 12) -> None:
        super().__init__()
        self.shapes = [(1, hidden), (hidden,), (hidden, 1), (1,)]
        total = sum(math.prod(s) for s in self.shapes)
        self.codes = nn.Embedding(N_CLASSES, embed)
        self.trunk = nn.Sequential(nn.Linear(embed, 48), nn.Tanh(), nn.Linear(48, total))
        with torch.no_grad():
            self.trunk[-1].weight.mul_(0.5)

    def forward(self, cls: Tensor) -> Weights:
        flat = self.trunk(self.codes(cls))
        parts = flat.split([math.prod(s) for s in self.shapes], dim=-1)
        return tuple(p.view(len(cls), *s) for p, s in zip(parts, self.shapes))


class Calibrator(nn.Module):
    def __init__(self, schedule: Callable[[int], int]) -> None:
        super().__init__()
        self.hyper = HyperNet()
        self.log_noise = nn.Parameter(torch.zeros(N_CLASSES))
        self._schedule = schedule
        self._generated: dict[int, Weights] = {}

    def weights_for(self, step: int) -> Weights:
        key = self._schedule(step)
        if (hit := self._generated.get(key)) is None:
            hit = self.hyper(torch.arange(N_CLASSES))
            self._generated = {key: hit}  # <- culprit
        return hit  # <- culprit

    def forward(self, x: Tensor, step: int) -> Tensor:
        """x: classes x points"""
        w1, b1, w2, b2 = self.weights_for(step)
        h = torch.tanh(x.unsqueeze(-1) * w1 + b1.unsqueeze(1))
        return (h @ w2).squeeze(-1) + b2

    def nll(self, x: Tensor, y: Tensor, step: int) -> Tensor:
        resid = (self(x, step) - y).square().mean(1)
        s = self.log_noise.clamp(-4, 2)
        return (0.5 * resid * torch.exp(-2 * s) + s).mean()


def curves(points: int, gen: torch.Generator):
    gain = torch.linspace(0.5, 1.5, N_CLASSES)[:, None]
    bend = torch.linspace(-0.8, 0.8, N_CLASSES)[:, None]
    while True:
        x = 2 * torch.rand(N_CLASSES, points, generator=gen) - 1
        y = gain * x + bend * x**2
        yield x, y + 0.05 * torch.randn(y.shape, generator=gen)


def main(steps: int = 400) -> None:
    torch.manual_seed(13)
    gen = torch.Generator().manual_seed(14)
    model = Calibrator(refresh_schedule(warmup=60, period=4))
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step, (x, y) in zip(range(steps), curves(32, gen)):
        opt.zero_grad(set_to_none=True)
        loss = model.nll(x, y, step)
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"step {step:4d}  nll {loss.item():+.4f}")


if __name__ == "__main__":
    main()
