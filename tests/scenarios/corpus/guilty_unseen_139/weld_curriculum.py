# gradwatch-corpus: kind=crashed
# first-bad: 180
# notice: 0
"""Weld-seam classification with layers that are settled one after another as training goes on."""
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(2024)

CALLBACKS = {}


def callback(cls):
    CALLBACKS[cls.__name__.lower()] = cls
    return cls


@dataclass
class SeamConfig:
    widths: tuple = (12, 16, 16)
    classes: int = 3
    epochs: int = 10
    per_epoch: int = 30
    callbacks: dict = field(default_factory=lambda: {"settle": {"start": 2, "every": 2}, "console": {}})


@callback
class Console:
    def epoch_start(self, loop, epoch):
        live = sum(p.numel() for p in loop.model.parameters() if p.requires_grad)
        print(f"epoch {epoch}: {live} live weights, loss {loop.last:.3f}")


@callback
class Settle:
    def __init__(self, start, every):
        self.start, self.every = start, every

    def epoch_start(self, loop, epoch):
        layers = [m for m in loop.model if isinstance(m, nn.Linear)]
        done = max(0, (epoch - self.start) // self.every + 1)
        for layer in layers[:done]:
            for p in layer.parameters():
                p.requires_grad_(False)  # <- culprit


class Loop:
    def __init__(self, cfg):
        self.cfg = cfg
        stack = []
        for a, b in zip(cfg.widths, cfg.widths[1:]):
            stack += [nn.Linear(a, b), nn.ReLU()]
        self.model = nn.Sequential(*stack, nn.Linear(cfg.widths[-1], cfg.classes))
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.05, momentum=0.9)
        self.callbacks = [CALLBACKS[n](**kw) for n, kw in cfg.callbacks.items()]
        self.last = float("nan")
        self.proto = torch.randn(cfg.classes, cfg.widths[0])

    def seams(self):
        for _ in range(self.cfg.per_epoch):
            y = torch.randint(self.cfg.classes, (20,))
            yield self.proto[y] + torch.randn(20, self.cfg.widths[0]), y

    def run(self):
        for epoch in range(self.cfg.epochs):
            for cb in self.callbacks:
                cb.epoch_start(self, epoch)
            for x, y in self.seams():
                loss = nn.functional.cross_entropy(self.model(x), y)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                self.last = loss.item()


Loop(SeamConfig()).run()
