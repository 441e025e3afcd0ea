# gradwatch-corpus: kind=graph-held
# holder: self.rows | table.rows | log.rows | row.metrics
# first-bad: 10
# notice: 50
from collections import defaultdict
from dataclasses import dataclass
from enum import Enum
from typing import Any

import torch
from torch import nn


class Events(Enum):
    STARTED = "started"
    ITERATION_COMPLETED = "iteration_completed"
    COMPLETED = "completed"


@dataclass
class State:
    iteration: int = 0
    epoch: int = 0
    output: Any = None


@dataclass
class Row:
    iteration: int
    metrics: dict


class Engine:
    def __init__(self, process):
        self.process = process
        self.state = State()
        self._handlers = defaultdict(list)

    def on(self, event, every=1):
        def attach(fn):
            self._handlers[event].append((every, fn))
            return fn
        return attach

    def fire(self, event):
        for every, fn in self._handlers[event]:
            if self.state.iteration % every == 0:
                fn(self)

    def run(self, batches, max_epochs):
        self.fire(Events.STARTED)
        for self.state.epoch in range(max_epochs):
            for batch in batches:
                self.state.iteration += 1
                self.state.output = self.process(self, batch)
                self.fire(Events.ITERATION_COMPLETED)
                self.state.output = None
        self.fire(Events.COMPLETED)


class MetricTable:
    def __init__(self, columns):
        self.columns = columns
        self.rows = []

    def write(self, iteration, **metrics):
        picked = {c: metrics[c] for c in self.columns}  # <- culprit
        self.rows.append(Row(iteration, picked))  # <- culprit

    def render(self):
        for row in self.rows:
            cells = "  ".join(f"{k}={float(v):.4f}" for k, v in row.metrics.items())
            print(f"{row.iteration:>5}  {cells}")


def transactions(n_batches, size=64):
    out = []
    for _ in range(n_batches):
        x = torch.randn(size, 14)
        fraud = ((x[:, 0] * x[:, 1] > 0.8) | (x[:, 7] > 1.7)).float()
        out.append((x, fraud))
    return out


def create_engine(net, optimizer, focal_gamma=1.5):
    def update(engine, batch):
        x, fraud = batch
        logit = net(x).squeeze(1)
        ce = nn.functional.binary_cross_entropy_with_logits(logit, fraud, reduction="none")
        focal = ((1 - torch.exp(-ce)) ** focal_gamma * ce).mean()
        optimizer.zero_grad()
        focal.backward()
        optimizer.step()
        return {"focal": focal, "bce": ce.mean()}  # <- culprit
    return Engine(update)


def main():
    torch.manual_seed(21)
    net = nn.Sequential(nn.Linear(14, 48), nn.SiLU(), nn.Linear(48, 1))
    engine = create_engine(net, torch.optim.Adam(net.parameters(), lr=4e-3))
    table = MetricTable(["focal", "bce"])

    @engine.on(Events.ITERATION_COMPLETED, every=10)
    def record(eng):
        table.write(eng.state.iteration, **eng.state.output)  # <- culprit

    @engine.on(Events.COMPLETED)
    def report(eng):
        table.render()

    engine.run(transactions(30), max_epochs=4)


if __name__ == "__main__":
    main()
