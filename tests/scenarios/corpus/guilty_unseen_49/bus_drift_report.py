# gradwatch-corpus: kind=graph-held
# holder: self._seen | report._seen | plugin._seen | plugins[0]._seen
# first-bad: 1
"""Churn model, trained with the in-house event bus and plugins."""
from collections import defaultdict
from dataclasses import dataclass
from typing import Any, Callable, Dict, List

import torch
import torch.nn as nn

PLUGINS: Dict[str, type] = {}


def plugin(name: str) -> Callable[[type], type]:
    def wrap(cls: type) -> type:
        PLUGINS[name] = cls
        return cls
    return wrap


@dataclass(frozen=True)
class StepDone:
    step: int
    loss: Any
    lr: float
    n_rows: int


class EventBus:
    def __init__(self) -> None:
        self._subs: Dict[type, List[Callable]] = defaultdict(list)

    def subscribe(self, kind: type, fn: Callable) -> None:
        self._subs[kind].append(fn)

    def publish(self, event: Any) -> None:
        for fn in self._subs[type(event)]:
            fn(event)


@plugin("drift-report")
class DriftReport:
    """Compares the first quarter of the run with the last one."""

    def __init__(self, bus: EventBus, every: int = 30) -> None:
        self._seen: List[StepDone] = []
        self._every = every
        bus.subscribe(StepDone, self.on_step)

    def on_step(self, event: StepDone) -> None:
        self._seen.append(event)  # <- culprit
        if event.step % self._every == self._every - 1:
            quarter = max(1, len(self._seen) // 4)
            head = sum(e.loss.item() for e in self._seen[:quarter]) / quarter
            tail = sum(e.loss.item() for e in self._seen[-quarter:]) / quarter
            print(f"[drift] step {event.step:3d} first {head:.4f} last {tail:.4f}")


@plugin("throughput")
class Throughput:
    def __init__(self, bus: EventBus) -> None:
        self.rows = 0
        bus.subscribe(StepDone, self.count)

    def count(self, event: StepDone) -> None:
        self.rows += event.n_rows


class ChurnTrainer:
    def __init__(self, net: nn.Module, bus: EventBus, lr: float) -> None:
        self.net, self.bus = net, bus
        self.opt = torch.optim.AdamW(net.parameters(), lr=lr)
        self.criterion = nn.BCEWithLogitsLoss()

    def step(self, idx: int, rows: torch.Tensor, churned: torch.Tensor) -> None:
        self.opt.zero_grad()
        loss = self.criterion(self.net(rows).squeeze(-1), churned)
        loss.backward()
        self.opt.step()
        lr = self.opt.param_groups[0]["lr"]
        self.bus.publish(StepDone(idx, loss, lr, rows.shape[0]))  # <- culprit

    def fit(self, batches) -> None:
        for idx, (rows, churned) in enumerate(batches):
            self.step(idx, rows, churned)


def make_batches(n: int, size: int, dim: int):
    g = torch.Generator().manual_seed(11)
    w = torch.randn(dim, generator=g)
    for _ in range(n):
        x = torch.randn(size, dim, generator=g)
        y = (x @ w + 0.3 * torch.randn(size, generator=g) > 0).float()
        yield x, y


if __name__ == "__main__":
    torch.manual_seed(3)
    bus = EventBus()
    plugins = [PLUGINS[name](bus) for name in ("drift-report", "throughput")]
    net = nn.Sequential(nn.Linear(20, 48), nn.GELU(), nn.Linear(48, 1))
    ChurnTrainer(net, bus, lr=3e-3).fit(make_batches(120, 64, 20))
    print("rows seen:", plugins[1].rows)
