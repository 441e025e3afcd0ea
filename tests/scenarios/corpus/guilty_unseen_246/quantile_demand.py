# gradwatch-corpus: kind=graph-chain
# holder: self.smoothed | objective.smoothed | self.objective.smoothed | runner.objective.smoothed
# first-bad: 1
import contextlib
import math
import time

import torch
from torch import nn

QUANTILES = (0.1, 0.5, 0.9)


class DemandFeed:
    """Hourly demand of a fleet of scooters, with day and week seasonality."""

    def __init__(self, hubs, window, seed):
        self.hubs = hubs
        self.window = window
        self.gen = torch.Generator().manual_seed(seed)
        self.clock = 0

    def __iter__(self):
        return self

    def __next__(self):
        hours = torch.arange(self.clock, self.clock + self.window + 1).float()
        day = torch.sin(hours * 2 * math.pi / 24)
        week = torch.cos(hours * 2 * math.pi / 168)
        scale = torch.rand(self.hubs, 1, generator=self.gen) + 0.5
        noise = 0.2 * torch.randn(self.hubs, self.window + 1, generator=self.gen)
        series = scale * (day + 0.3 * week) + noise
        self.clock += 1
        return series[:, :-1], series[:, -1:]


class LinearQuantiles(nn.Module):
    def __init__(self, window):
        super().__init__()
        self.readout = nn.Linear(window, len(QUANTILES))

    def forward(self, history):
        return self.readout(history)


class SmoothedPinball:
    """Pinball loss, smoothed over steps since single hours are noisy."""

    def __init__(self, momentum):
        self.momentum = momentum
        self.smoothed = None

    def pinball(self, pred, target):
        taus = torch.tensor(QUANTILES)
        err = target - pred
        return torch.maximum(taus * err, (taus - 1) * err).mean()

    def update(self, pred, target):
        current = self.pinball(pred, target)
        if self.smoothed is None:
            self.smoothed = current  # <- culprit
        else:
            self.smoothed = self.momentum * self.smoothed + (1 - self.momentum) * current  # <- culprit
        return self.smoothed


class Runner:
    def __init__(self, hubs=64, window=48, seed=3):
        torch.manual_seed(seed)
        self.feed = DemandFeed(hubs, window, seed)
        self.model = LinearQuantiles(window)
        self.objective = SmoothedPinball(momentum=0.8)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.5)
        self.timings = {}

    @contextlib.contextmanager
    def timed(self, name):
        begin = time.perf_counter()
        yield
        spent = time.perf_counter() - begin
        self.timings[name] = self.timings.get(name, 0.0) + spent

    def fit(self, steps):
        for step in range(steps):
            history, target = next(self.feed)
            with self.timed("forward"):
                loss = self.objective.update(self.model(history), target)
            with self.timed("backward"):
                self.optimizer.zero_grad()
                loss.backward(retain_graph=True)
            self.optimizer.step()
            if step % 40 == 0:
                print(f"[{step:03d}] smoothed pinball {loss.item():.4f}")


if __name__ == "__main__":
    runner = Runner()
    runner.fit(160)
    print({name: round(total, 2) for name, total in runner.timings.items()} != {})
