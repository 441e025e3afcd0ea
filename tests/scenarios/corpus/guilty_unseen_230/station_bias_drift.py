# gradwatch-corpus: kind=graph-chain
# holder: self.offset | corrector.offset | self.corrector.offset | model.corrector.offset
# first-bad: 1
"""Station-wise post-processing of 2 m temperature forecasts with a learned drift."""
import math
from dataclasses import dataclass, field
from typing import Protocol

import torch
from torch import Tensor, nn


@dataclass
class OptimSpec:
    lr: float = 5e-3
    betas: tuple[float, float] = (0.9, 0.99)


@dataclass
class Experiment:
    stations: int = 64
    predictors: int = 9
    hours: int = 160
    memory: float = 0.8
    optim: OptimSpec = field(default_factory=OptimSpec)


class Observer(Protocol):
    def on_hour(self, hour: int, scores: dict[str, float]) -> None: ...


class PrintObserver:
    def __init__(self, every: int) -> None:
        self.every = every

    def on_hour(self, hour: int, scores: dict[str, float]) -> None:
        if hour % self.every == 0:
            body = " ".join(f"{k}={v:.4f}" for k, v in scores.items())
            print(f"[{hour:04d}h] {body}")


class DriftCorrector(nn.Module):
    """First-order tendency of each station's offset, relaxed towards a learned level."""

    def __init__(self, stations: int, memory: float) -> None:
        super().__init__()
        self.level = nn.Parameter(torch.zeros(stations))
        self.blend = 1.0 - memory
        self.offset: Tensor = torch.zeros(stations)

    def forward(self, raw: Tensor) -> Tensor:
        self.offset = torch.lerp(self.offset, self.level, self.blend)  # <- culprit
        return raw + self.offset


class PostProcessor(nn.Module):
    def __init__(self, exp: Experiment) -> None:
        super().__init__()
        self.regressor = nn.Sequential(
            nn.Linear(exp.predictors, 64),
            nn.GELU(),
            nn.Linear(64, 64),
            nn.GELU(),
            nn.Linear(64, 1),
        )
        self.corrector = DriftCorrector(exp.stations, exp.memory)

    def forward(self, predictors: Tensor) -> Tensor:
        raw = self.regressor(predictors).squeeze(-1)
        return self.corrector(raw)


class SyntheticFeed:
    def __init__(self, exp: Experiment, generator: torch.Generator) -> None:
        self.exp = exp
        self.generator = generator
        self.station_effect = torch.randn(exp.stations, generator=generator)

    def __iter__(self):
        for hour in range(self.exp.hours):
            x = torch.randn(self.exp.stations, self.exp.predictors, generator=self.generator)
            diurnal = math.sin(2 * math.pi * hour / 24)
            y = x[:, 0] - 0.5 * x[:, 1].abs() + self.station_effect + diurnal
            yield hour, x, y


def run(exp: Experiment, observers: list[Observer]) -> float:
    generator = torch.Generator().manual_seed(2024)
    torch.manual_seed(2024)
    model = PostProcessor(exp)
    optimizer = torch.optim.Adam(model.parameters(), lr=exp.optim.lr, betas=exp.optim.betas)
    criterion = nn.HuberLoss(delta=2.0)
    latest = float("nan")
    for hour, predictors, observed in SyntheticFeed(exp, generator):
        optimizer.zero_grad()
        forecast = model(predictors)
        loss = criterion(forecast, observed)
        loss.backward()
        optimizer.step()
        latest = loss.item()
        mae = (forecast.detach() - observed).abs().mean().item()
        for observer in observers:
            observer.on_hour(hour, {"huber": latest, "mae": mae})
    return latest


if __name__ == "__main__":
    final = run(Experiment(), [PrintObserver(every=40)])
    print(f"final {final:.4f}")
