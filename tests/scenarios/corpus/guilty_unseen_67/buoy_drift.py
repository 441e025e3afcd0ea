# gradwatch-corpus: kind=graph-chain
# holder: fix | self._fixes | model._fixes | self.model._fixes | where
# first-bad: 2
# notice: 5
"""Learn tidal currents from positions reported by a string of drifting buoys.

Each tidal phase has one current vector; wind pushes are explained by a small
network.  Reports arrive hour after hour.
"""
import math
from dataclasses import dataclass
from typing import Iterator

import torch
from torch import Tensor, nn
from torch.nn import functional as F

torch.set_num_threads(1)

PHASES = 6


@dataclass(frozen=True)
class Report:
    hour: int
    phase: int
    wind: Tensor       # [buoys, 3]
    position: Tensor   # [buoys, 2]


def reports(n_buoys: int, hours: int, seed: int = 11) -> Iterator[Report]:
    g = torch.Generator().manual_seed(seed)
    place = torch.rand(n_buoys, 2, generator=g)
    mix = torch.randn(3, 2, generator=g) * 0.05
    for h in range(hours):
        wind = torch.randn(n_buoys, 3, generator=g)
        seen = place + wind @ mix + 0.005 * torch.randn(n_buoys, 2, generator=g)
        yield Report(h, h % PHASES, wind, seen)
        angle = 2 * math.pi * (h % PHASES) / PHASES
        place = place + torch.tensor([math.cos(angle), math.sin(angle)]) * 0.08


def reckon(currents: nn.Parameter, start: Tensor):
    """Coroutine: send it the tidal phase, it answers with the next fix."""
    fix = start
    while True:
        phase = yield fix
        fix = fix + currents[phase]  # <- culprit


class WindPush(nn.Sequential):
    def __init__(self, width: int = 16):
        super().__init__(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, 2))


class DriftModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.currents = nn.Parameter(torch.zeros(PHASES, 2))
        self.push = WindPush()
        self._fixes = None

    def moor(self, start: Tensor):
        self._fixes = reckon(self.currents, start)
        self.base = next(self._fixes).clone()

    def forward(self, report: Report, previous_phase: int | None) -> Tensor:
        if previous_phase is None:
            where = self.base
        else:
            where = self._fixes.send(previous_phase)
        return where + self.push(report.wind)


class Fitter:
    def __init__(self, model: DriftModel):
        self.model = model
        self.opt = torch.optim.Adam(
            [
                {"params": [model.currents], "lr": 2e-3},
                {"params": model.push.parameters(), "lr": 5e-3},
            ]
        )

    def fit(self, stream: Iterator[Report], every: int = 24):
        phase = None
        for report in stream:
            if phase is None:
                self.model.moor(report.position)
            guess = self.model(report, phase)
            miss = F.smooth_l1_loss(guess, report.position)
            self.opt.zero_grad(set_to_none=True)
            miss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            phase = report.phase
            if report.hour % every == 0:
                print(f"hour {report.hour:3d}: miss {miss.item():.5f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    model = DriftModel()
    Fitter(model).fit(reports(n_buoys=24, hours=150))
    print("currents:", [[round(v, 3) for v in row] for row in model.currents.tolist()])
