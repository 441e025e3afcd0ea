# gradwatch-corpus: kind=second-backward
# holder: self.state | model.state | net.state | self.model.state | forecaster.model.state
# first-bad: 1
# also: graph-chain
"""Next-hour river level from rainfall and the last levels, streamed in order."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Settings:
    streams: int = 16
    window: int = 24
    hours: int = 24 * 60
    width: int = 32
    lr: float = 3e-3
    epochs: int = 2
    seed: int = 11


def simulate(cfg):
    g = torch.Generator().manual_seed(cfg.seed)
    rain = torch.rand(cfg.streams, cfg.hours, generator=g).pow(6) * 8
    level = torch.zeros(cfg.streams, cfg.hours)
    for t in range(1, cfg.hours):
        level[:, t] = 0.97 * level[:, t - 1] + 0.2 * rain[:, t - 1]
    level = (level - level.mean()) / level.std()
    return torch.stack([rain, level], dim=-1)


class StreamLoader:
    """Consecutive windows; row i of one batch goes on in row i of the next."""

    def __init__(self, series, window):
        self.series = series
        self.window = window

    def __len__(self):
        return (self.series.size(1) - 1) // self.window

    def __iter__(self):
        for n in range(len(self)):
            a = n * self.window
            b = a + self.window
            yield self.series[:, a:b], self.series[:, a + 1:b + 1, 1]


class LevelNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gru = nn.GRU(2, width, batch_first=True)
        self.read = nn.Linear(width, 1)
        self.width = width
        self.state = None

    def reset(self):
        self.state = None

    def forward(self, x):
        if self.state is None:
            self.state = x.new_zeros(1, x.size(0), self.width)
        out, self.state = self.gru(x, self.state)  # <- culprit
        return self.read(out).squeeze(-1)


class Forecaster:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = LevelNet(cfg.width)
        self.optim = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.loss_fn = nn.SmoothL1Loss()

    def run_epoch(self, loader):
        self.model.train()
        self.model.reset()
        total, seen = 0.0, 0
        for window, target in loader:
            self.optim.zero_grad(set_to_none=True)
            loss = self.loss_fn(self.model(window), target)
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optim.step()
            total += loss.item() * len(window)
            seen += len(window)
        return total / seen


def main():
    cfg = Settings()
    torch.manual_seed(cfg.seed)
    loader = StreamLoader(simulate(cfg), cfg.window)
    forecaster = Forecaster(cfg)
    print(f"{len(loader)} windows of {cfg.window} h from {cfg.streams} gauges")
    for epoch in range(cfg.epochs):
        print(f"epoch {epoch}: smooth-l1 {forecaster.run_epoch(loader):.4f}")


if __name__ == "__main__":
    main()
