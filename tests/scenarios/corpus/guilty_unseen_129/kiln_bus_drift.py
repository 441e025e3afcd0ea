# gradwatch-corpus: kind=graph-held
# holder: monitor.samples | DriftMonitor.samples | self.samples
# first-bad: 4
# notice: 8
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Callable, NamedTuple

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(11)


class BatchDone(NamedTuple):
    index: int
    fit: torch.Tensor
    residual: torch.Tensor


class Bus:
    def __init__(self):
        self._subs: dict[str, list[Callable[[Any], None]]] = defaultdict(list)

    def on(self, topic, fn):
        self._subs[topic].append(fn)

    def emit(self, topic, payload):
        for fn in self._subs[topic]:
            fn(payload)


@dataclass
class Sample:
    index: int
    level: torch.Tensor
    spread: torch.Tensor


class DriftMonitor:
    def __init__(self, bus, every=4):
        self.every = every
        self.samples: list[Sample] = []
        bus.on("batch_done", self.observe)

    def observe(self, ev: BatchDone):
        if ev.index % self.every != self.every - 1:
            return
        self.samples.append(Sample(ev.index, ev.residual.mean(), ev.residual.std()))  # <- culprit

    def drift(self):
        if len(self.samples) < 2:
            return 0.0
        return float(self.samples[-1].level - self.samples[0].level)


class Console:
    def __init__(self, bus):
        self.last = None
        bus.on("batch_done", self.keep)

    def keep(self, ev):
        self.last = ev.fit.item()


class KilnModel(nn.Module):
    """Predicts the temperature at three thermocouples from burner settings."""

    def __init__(self):
        super().__init__()
        self.burners = nn.Sequential(nn.Linear(5, 24), nn.SiLU(), nn.Linear(24, 12), nn.SiLU())
        self.couples = nn.Linear(12, 3)

    def forward(self, u):
        return self.couples(self.burners(u))


class Fitter:
    def __init__(self, model, bus):
        self.model, self.bus = model, bus
        self.opt = torch.optim.AdamW(model.parameters(), lr=2e-3)

    def plant(self, u):
        return torch.stack([u[:, 0] * u[:, 1], u[:, 2].sin(), u[:, 3] - u[:, 4] ** 2], 1)

    def fit(self, batches):
        for i in range(batches):
            u = torch.randn(32, 5)
            err = self.model(u) - self.plant(u)
            loss = err.square().mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.bus.emit("batch_done", BatchDone(i, loss, err))


bus = Bus()
monitor = DriftMonitor(bus)
console = Console(bus)
Fitter(KilnModel(), bus).fit(500)
print(f"fit {console.last:.4f} drift {monitor.drift():+.4f}")
