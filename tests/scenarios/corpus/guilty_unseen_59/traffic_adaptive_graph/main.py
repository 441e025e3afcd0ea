# gradwatch-corpus: kind=second-backward
# holder: self._current | self.model.adjacency._current | model.adjacency._current
# first-bad: 16
# notice: 0
"""Traffic-flow forecasting with an adaptive sensor graph (Graph WaveNet style)."""
import argparse

import torch

from callbacks import AdjacencySchedule, ThroughputPrinter
from layers import GraphForecaster


class FlowWindows:
    """Random windows over a synthetic multi-sensor series."""

    def __init__(self, sensors, length, history, horizon, seed):
        g = torch.Generator().manual_seed(seed)
        t = torch.arange(length, dtype=torch.float32)[:, None]
        phase = 6.28 * torch.rand(sensors, generator=g)
        series = torch.sin(t / 12 + phase) + 0.3 * torch.sin(t / 40 + 2 * phase)
        self.series = series + 0.1 * torch.randn(length, sensors, generator=g)
        self.history, self.horizon, self.gen = history, horizon, g

    def batch(self, n):
        span = self.history + self.horizon
        starts = torch.randint(len(self.series) - span, (n,), generator=self.gen).tolist()
        w = torch.stack([self.series[s:s + span] for s in starts])
        return w[:, :self.history], w[:, self.history:]


class Trainer:
    def __init__(self, model, data, callbacks, lr):
        self.model, self.data, self.callbacks = model, data, callbacks
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.last_loss = float("nan")
        for cb in callbacks:
            cb.trainer = self

    def emit(self, event, step):
        for cb in self.callbacks:
            getattr(cb, event)(step)

    def fit(self, steps, batch_size):
        for step in range(steps):
            self.emit("on_step_begin", step)
            past, future = self.data.batch(batch_size)
            loss = (self.model(past) - future).abs().mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.last_loss = loss.item()
            self.emit("on_step_end", step)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=120)
    ap.add_argument("--warmup", type=int, default=15)
    ap.add_argument("--period", type=int, default=5)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(2)
    data = FlowWindows(sensors=14, length=600, history=12, horizon=4, seed=8)
    model = GraphForecaster(sensors=14, history=12, horizon=4, width=16)
    callbacks = [AdjacencySchedule(model.adjacency, args.warmup, args.period), ThroughputPrinter(4)]
    Trainer(model, data, callbacks, lr=4e-3).fit(args.steps, 12)


if __name__ == "__main__":
    main()
