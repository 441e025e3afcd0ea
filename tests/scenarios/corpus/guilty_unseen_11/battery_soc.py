# gradwatch-corpus: kind=graph-held
# holder: self.total | stat.total | self.stats["loss"].total | trainer.stats["loss"].total | self.stats["loss"] | trainer.stats["loss"] | self.stats | trainer.stats
# first-bad: 1
"""State-of-charge estimation for lithium cells from short voltage/current/temperature windows.

Small replacement for the MATLAB lookup tables we used on the test bench until last year.
"""
import math
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import nn
import torch.nn.functional as F


class Window(NamedTuple):
    signal: torch.Tensor      # (batch, 3, time)
    soc: torch.Tensor         # (batch,)


class Outcome(NamedTuple):
    loss: torch.Tensor
    abs_err: float
    cells: int


@dataclass
class RunningStat:
    """Weighted mean over everything that was pushed."""
    total: float = 0.0
    weight: int = 0

    def push(self, value, n=1):
        self.total += value * n  # <- culprit
        self.weight += n

    @property
    def mean(self):
        return self.total / max(self.weight, 1)


class CellBench:
    """Makes discharge windows from an equivalent-circuit model (R0 + one RC pair)."""

    def __init__(self, steps, batch=32, length=48, seed=4):
        self.steps, self.batch, self.length = steps, batch, length
        self.gen = torch.Generator().manual_seed(seed)

    def _rand(self, *shape):
        return torch.rand(*shape, generator=self.gen)

    def window(self):
        soc0 = 0.15 + 0.8 * self._rand(self.batch, 1)
        current = 2.0 * self._rand(self.batch, self.length) - 0.4
        drift = torch.cumsum(current, dim=1) / (3600.0 / 10)
        soc = (soc0 - drift).clamp(0.0, 1.0)
        ocv = 3.0 + 0.9 * soc + 0.12 * torch.sin(3 * math.pi * soc)
        temp = 15 + 20 * self._rand(self.batch, 1).expand(-1, self.length)
        r0 = 0.05 * (1 + 0.01 * (25 - temp))
        volts = ocv - current * r0 + 0.004 * torch.randn(soc.shape, generator=self.gen)
        signal = torch.stack([volts - 3.5, current, (temp - 25) / 10], dim=1)
        return Window(signal, soc[:, -1])

    def __iter__(self):
        for _ in range(self.steps):
            yield self.window()


class SocNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv1d(3, width, 5, stride=2), nn.GELU(),
            nn.Conv1d(width, width, 5, stride=2), nn.GELU(),
        )
        self.head = nn.Linear(2 * width, 1)

    def forward(self, signal):
        z = self.features(signal)
        z = torch.cat([z.mean(-1), z.amax(-1)], dim=1)
        return torch.sigmoid(self.head(z)).squeeze(1)


class BenchTrainer:
    """Loop, bookkeeping and printing; what is fitted is up to the subclass."""

    def __init__(self, model, lr=2e-3, every=60):
        self.model = model
        self.optim = torch.optim.AdamW(model.parameters(), lr=lr)
        self.every = every
        self.stats = {"loss": RunningStat(), "mae": RunningStat()}

    def compute(self, window) -> Outcome:
        raise NotImplementedError

    def _account(self, outcome):
        self.stats["loss"].push(outcome.loss, outcome.cells)  # <- culprit
        self.stats["mae"].push(outcome.abs_err, outcome.cells)

    def _report(self, step):
        parts = [f"{name} {stat.mean:.5f}" for name, stat in self.stats.items()]
        print(f"[{step:4d}] " + "  ".join(parts))

    def fit(self, bench):
        for step, window in enumerate(bench):
            self.optim.zero_grad()
            outcome = self.compute(window)
            outcome.loss.backward()
            self.optim.step()
            self._account(outcome)
            if (step + 1) % self.every == 0:
                self._report(step + 1)


class SocTrainer(BenchTrainer):
    def compute(self, window):
        pred = self.model(window.signal)
        loss = F.smooth_l1_loss(pred, window.soc, beta=0.05)
        abs_err = (pred.detach() - window.soc).abs().mean().item()
        return Outcome(loss, abs_err, window.soc.numel())


if __name__ == "__main__":
    torch.manual_seed(17)
    trainer = SocTrainer(SocNet())
    trainer.fit(CellBench(steps=300))
    print("mean absolute error over the run: %.3f" % trainer.stats["mae"].mean)
