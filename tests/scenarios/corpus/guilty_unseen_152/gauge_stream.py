# gradwatch-corpus: kind=second-backward
# holder: self.memory | forecaster.memory
# first-bad: 9
"""Online river stage forecasting; gauges deliver short storms first, then continuous records."""
import math
from dataclasses import dataclass
from typing import Iterator

import torch
from torch import nn


@dataclass
class Chunk:
    level: torch.Tensor
    opens_record: bool


@dataclass
class StreamConfig:
    storms: int = 8
    chunk: int = 10
    record_chunks: int = 12
    records: int = 5
    gauges: int = 6


def stages(n, gauges, gen):
    t = torch.arange(n, dtype=torch.float32).unsqueeze(1)
    phase = 2 * math.pi * torch.rand(gauges, generator=gen)
    return torch.sin(0.3 * t + phase) + 0.3 * torch.sin(0.07 * t) + 0.05 * torch.randn(n, gauges, generator=gen)


def stream(cfg: StreamConfig) -> Iterator[Chunk]:
    gen = torch.Generator().manual_seed(30)
    for _ in range(cfg.storms):
        yield Chunk(stages(cfg.chunk + 1, cfg.gauges, gen), True)
    for _ in range(cfg.records):
        series = stages(cfg.chunk * cfg.record_chunks + 1, cfg.gauges, gen)
        for k in range(cfg.record_chunks):
            piece = series[k * cfg.chunk:(k + 1) * cfg.chunk + 1]
            yield Chunk(piece, k == 0)


class StageForecaster(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.cell = nn.GRU(1, hidden)
        self.head = nn.Linear(hidden, 1)
        self.memory = None

    def forward(self, level):
        states, self.memory = self.cell(level.unsqueeze(-1), self.memory)  # <- culprit
        return level + self.head(states).squeeze(-1)


class OnlineTrainer:
    def __init__(self, forecaster, lr=4e-3):
        self.forecaster = forecaster
        self.optimizer = torch.optim.Adam(forecaster.parameters(), lr)
        self.skipped = 0
        self.errors = []

    def consume(self, chunk):
        if chunk.opens_record:
            self.forecaster.memory = None
        pred = self.forecaster(chunk.level[:-1])
        loss = nn.functional.mse_loss(pred, chunk.level[1:])
        self.optimizer.zero_grad()
        try:
            loss.backward()
        except RuntimeError:
            self.skipped += 1
            self.forecaster.memory = None
            return
        self.optimizer.step()
        self.errors.append(loss.item())


def main():
    torch.set_num_threads(1)
    torch.manual_seed(30)
    forecaster = StageForecaster()
    trainer = OnlineTrainer(forecaster)
    for number, chunk in enumerate(stream(StreamConfig())):
        trainer.consume(chunk)
        if number % 17 == 16:
            print(f"chunk {number + 1:3d}  mse {trainer.errors[-1]:.4f}  skipped {trainer.skipped}")


if __name__ == "__main__":
    main()
