# gradwatch-corpus: kind=none
from dataclasses import dataclass
from typing import Callable, Dict, List

import torch
from torch import nn


@dataclass(frozen=True)
class BatchFinished:
    step: int
    loss: torch.Tensor
    scores: torch.Tensor

    def __post_init__(self):
        for name in ("loss", "scores"):
            object.__setattr__(self, name, getattr(self, name).detach())


class Bus:
    def __init__(self):
        self.handlers: Dict[str, List[Callable]] = {}

    def on(self, topic, handler):
        self.handlers.setdefault(topic, []).append(handler)

    def emit(self, topic, payload):
        for h in self.handlers.get(topic, []):
            h(payload)


class RunHistory:
    def __init__(self, bus):
        self.events: List[BatchFinished] = []
        bus.on("batch", self.events.append)

    def mean_loss(self, last=25):
        return torch.stack([e.loss for e in self.events[-last:]]).mean().item()


class RunningTotal:
    def __init__(self, bus):
        self.total = torch.zeros(())
        self.n = 0
        bus.on("batch", self.add)

    def add(self, event):
        self.total = self.total + event.loss
        self.n += 1


class Learner:
    def __init__(self, net, bus):
        self.net, self.bus = net, bus
        self.opt = torch.optim.NAdam(net.parameters(), lr=3e-3)

    def one(self, i, x, y):
        scores = self.net(x)
        loss = nn.functional.multi_margin_loss(scores, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.bus.emit("batch", BatchFinished(i, loss, scores))


def batches(n):
    mu = torch.randn(5, 9) * 1.3
    for _ in range(n):
        y = torch.randint(5, (24,))
        yield mu[y] + torch.randn(24, 9), y


if __name__ == "__main__":
    torch.manual_seed(2)
    bus = Bus()
    history, total = RunHistory(bus), RunningTotal(bus)
    learner = Learner(nn.Sequential(nn.Linear(9, 30), nn.ReLU(), nn.Linear(30, 5)), bus)
    for i, (x, y) in enumerate(batches(100)):
        learner.one(i, x, y)
        if i % 25 == 24:
            print(f"{i + 1}: {history.mean_loss():.4f}")
    print("overall", (total.total / total.n).item())
