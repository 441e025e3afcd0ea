# gradwatch-corpus: kind=graph-held
# holder: self._deferred | self.bus._deferred | bus._deferred | self.runner.bus._deferred
# first-bad: 1
from collections import defaultdict
from dataclasses import dataclass
from typing import Callable

import torch
from torch import nn
import torch.nn.functional as F


@dataclass(frozen=True)
class RunConfig:
    steps: int = 450
    batch: int = 32
    width: int = 24
    lr: float = 3e-3
    clip: float = 1.0


class EventBus:
    def __init__(self):
        self._handlers: dict[str, list[Callable]] = defaultdict(list)
        self._deferred: list[Callable] = []

    def on(self, event):
        def register(fn):
            self._handlers[event].append(fn)
            return fn

        return register

    def emit(self, event, **payload):
        for fn in self._handlers[event]:
            fn(**payload)

    def defer(self, job):
        self._deferred.append(job)

    def drain(self):
        jobs, self._deferred = self._deferred, []
        for job in jobs:
            job()


class SeriesWriter:
    def __init__(self):
        self.series = defaultdict(list)

    def scalar(self, tag, step, value):
        self.series[tag].append((step, value))

    def tail_mean(self, tag, n=50):
        values = [v for _, v in self.series[tag][-n:]]
        return sum(values) / max(len(values), 1)


class GatedForecaster(nn.Module):
    def __init__(self, window, width):
        super().__init__()
        self.value = nn.Linear(window, width)
        self.gate = nn.Linear(window, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.value(x)) * torch.sigmoid(self.gate(x))).squeeze(-1)


def windows(cfg, window=16, seed=4):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(4000) / 12.0
    signal = torch.sin(t) + 0.4 * torch.sin(2.7 * t) + 0.05 * torch.randn(4000, generator=g)
    for _ in range(cfg.steps):
        start = torch.randint(0, 4000 - window - 1, (cfg.batch,), generator=g)
        idx = start[:, None] + torch.arange(window)
        yield signal[idx], signal[start + window]


class Runner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.bus = EventBus()
        self.model = GatedForecaster(16, cfg.width)
        self.optim = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.writer = SeriesWriter()

    def install(self):
        @self.bus.on("step_end")
        def schedule_scalars(step, loss, norm):
            self.bus.defer(lambda: self.writer.scalar("train/loss", step, loss.item()))  # <- culprit
            self.writer.scalar("train/grad_norm", step, norm)

        @self.bus.on("step_end")
        def heartbeat(step, loss, norm):
            if step % 150 == 0:
                print(f"step {step} loss {loss.item():.4f} grad {norm:.3f}")

        @self.bus.on("run_end")
        def finish():
            self.bus.drain()
            print("tail loss", round(self.writer.tail_mean("train/loss"), 5))

    def run(self):
        self.install()
        for step, (x, y) in enumerate(windows(self.cfg)):
            loss = F.smooth_l1_loss(self.model(x), y)
            self.optim.zero_grad()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(self.model.parameters(), self.cfg.clip).item()
            self.optim.step()
            self.bus.emit("step_end", step=step, loss=loss, norm=norm)
        self.bus.emit("run_end")


if __name__ == "__main__":
    torch.manual_seed(0)
    Runner(RunConfig()).run()
