# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Denoising regressor for gas-sensor arrays; we ship the averaged weights, so the averaged model's error is
tracked next to the raw one all along."""
from __future__ import annotations

import copy
from typing import Callable, Iterator

import torch
from torch import Tensor, nn


class SensorNet(nn.Module):
    def __init__(self, channels: int, targets: int, width: int = 64) -> None:
        super().__init__()
        self.inp = nn.Linear(channels, width)
        self.mid = nn.ModuleList([nn.Linear(width, width) for _ in range(3)])
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, targets)

    def forward(self, x: Tensor) -> Tensor:
        h = torch.tanh(self.inp(x))
        for layer in self.mid:
            h = h + 0.5 * torch.nn.functional.silu(layer(h))
        return self.out(self.norm(h))


class Averaged:
    """Exponential moving average of a module's parameters."""

    def __init__(self, module: nn.Module, decay: float) -> None:
        self.module = copy.deepcopy(module).eval()
        self.decay = decay
        self.count = 0

    @torch.no_grad()
    def update(self, source: nn.Module) -> None:
        self.count += 1
        d = min(self.decay, (1 + self.count) / (10 + self.count))
        for mine, theirs in zip(self.module.parameters(), source.parameters()):
            mine.lerp_(theirs, 1 - d)

    def error(self, x: Tensor, y: Tensor) -> float:
        prediction = self.module(x)  # <- culprit
        return (prediction - y).pow(2).mean().sqrt().item()  # <- culprit


class Smooth:
    def __init__(self, k: float = 0.9) -> None:
        self.k, self.value = k, None

    def add(self, v: float) -> None:
        self.value = v if self.value is None else self.k * self.value + (1 - self.k) * v


def readings(channels: int, targets: int, batch: int, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    rng = torch.Generator().manual_seed(seed)
    mix = torch.randn(targets, channels, generator=rng)
    while True:
        conc = torch.rand(batch, targets, generator=rng)
        clean = torch.log1p(conc @ mix.abs())
        drift = 0.05 * torch.randn(batch, 1, generator=rng)
        yield clean + drift + 0.02 * torch.randn(clean.shape, generator=rng), conc


class Fitter:
    def __init__(self, net: nn.Module, lr: float, hooks: list[Callable[["Fitter", Tensor, Tensor], None]]) -> None:
        self.net = net
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=1e-3)
        self.hooks = hooks
        self.step_no = 0
        self.last = float("nan")

    def step(self, x: Tensor, y: Tensor) -> None:
        self.opt.zero_grad(set_to_none=True)
        loss = nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        self.opt.step()
        self.last = loss.item() ** 0.5
        self.step_no += 1
        for hook in self.hooks:
            hook(self, x, y)


def main() -> None:
    torch.manual_seed(8)
    net = SensorNet(16, 4)
    average = Averaged(net, 0.98)
    raw, ema = Smooth(), Smooth()

    def track(fitter: Fitter, x: Tensor, y: Tensor) -> None:
        average.update(fitter.net)
        raw.add(fitter.last)
        ema.add(average.error(x, y))

    def report(fitter: Fitter, x: Tensor, y: Tensor) -> None:
        if fitter.step_no % 60 == 0:
            print(f"[{fitter.step_no:4d}] rmse raw {raw.value:.4f}  averaged {ema.value:.4f}")

    fitter = Fitter(net, 2e-3, [track, report])
    for _, (x, y) in zip(range(300), readings(16, 4, 48, seed=12)):
        fitter.step(x, y)


if __name__ == "__main__":
    main()
