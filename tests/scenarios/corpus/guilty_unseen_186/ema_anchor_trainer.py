# gradwatch-corpus: kind=graph-chain
# holder: self.anchor[name] | state.anchor[name] | trainer.state.anchor[name] | state.anchor | self.state.anchor
# first-bad: 1
"""Continual fine-tuning with a proximal pull toward a slow copy of the weights."""
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class ProxConfig:
    steps: int = 420
    decay: float = 0.98
    prox: float = 0.05
    lr: float = 2e-3
    task_len: int = 150


@dataclass
class RunState:
    step: int = 0
    anchor: dict = field(default_factory=dict)
    logs: list = field(default_factory=list)


class Callback:
    def on_train_begin(self, cfg, state, model):
        pass

    def on_step_end(self, cfg, state, model):
        pass


class SlowWeights(Callback):
    def on_train_begin(self, cfg, state, model):
        for name, p in model.named_parameters():
            state.anchor[name] = p.detach().clone()

    def on_step_end(self, cfg, state, model):
        for name, p in model.named_parameters():
            old = state.anchor[name]
            state.anchor[name] = torch.lerp(old, p, 1 - cfg.decay)  # <- culprit


class Printer(Callback):
    def on_step_end(self, cfg, state, model):
        if state.step % 75 == 0:
            print(state.step, state.logs[-1], flush=True)


class Prox:
    def __init__(self, weight):
        self.weight = weight

    def __call__(self, model, anchor):
        total = 0.0
        for name, p in model.named_parameters():
            total = total + (p - anchor[name]).square().sum()
        return self.weight * total


class ProxTrainer:
    def __init__(self, model, cfg, callbacks):
        self.model, self.cfg, self.callbacks = model, cfg, callbacks
        self.state = RunState()
        self.prox = Prox(cfg.prox)
        self.optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)

    def fire(self, name):
        for cb in self.callbacks:
            getattr(cb, name)(self.cfg, self.state, self.model)

    def compute_loss(self, x, y):
        task = F.smooth_l1_loss(self.model(x), y)
        return task, task + self.prox(self.model, self.state.anchor)

    def train(self, stream):
        self.fire("on_train_begin")
        for x, y in stream:
            task, loss = self.compute_loss(x, y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.state.logs.append(round(task.item(), 4))
            self.state.logs = self.state.logs[-20:]
            self.state.step += 1
            self.fire("on_step_end")


def task_stream(cfg, dim=10):
    g = torch.Generator().manual_seed(77)
    w = torch.randn(dim, 1, generator=g)
    for step in range(cfg.steps):
        if step % cfg.task_len == 0:
            w = w + 0.5 * torch.randn(dim, 1, generator=g)
        x = torch.randn(32, dim, generator=g)
        yield x, torch.sin(x @ w)


if __name__ == "__main__":
    torch.manual_seed(0)
    cfg = ProxConfig()
    net = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 1))
    ProxTrainer(net, cfg, [SlowWeights(), Printer()]).train(task_stream(cfg))
