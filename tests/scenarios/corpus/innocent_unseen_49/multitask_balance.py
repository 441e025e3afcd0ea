# gradwatch-corpus: kind=none
from dataclasses import dataclass, field
from typing import Dict, NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

LOSSES = {"regress": F.mse_loss, "classify": F.cross_entropy}


@dataclass
class TaskSpec:
    name: str
    kind: str
    outputs: int


@dataclass
class Config:
    tasks: list = field(default_factory=lambda: [
        TaskSpec("price", "regress", 1), TaskSpec("segment", "classify", 4), TaskSpec("delay", "regress", 1)])
    steps: int = 80
    alpha: float = 0.9


class Bundle(NamedTuple):
    x: torch.Tensor
    targets: Dict[str, torch.Tensor]


class SharedNet(nn.Module):
    def __init__(self, tasks, dim=10, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Linear(width, width), nn.Tanh())
        self.heads = nn.ModuleDict({t.name: nn.Linear(width, t.outputs) for t in tasks})

    def forward(self, x):
        z = self.trunk(x)
        return {n: h(z) for n, h in self.heads.items()}


class BalancedTrainer:
    """Weighs tasks by the moving size of their gradient in the trunk."""

    def __init__(self, net, cfg):
        self.net, self.cfg = net, cfg
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3)
        self.sizes = {t.name: 1.0 for t in cfg.tasks}
        self.history = []

    def losses(self, b):
        out = self.net(b.x)
        return {t.name: LOSSES[t.kind](out[t.name], b.targets[t.name]) for t in self.cfg.tasks}

    def probe(self, losses):
        ref = self.net.trunk[2].weight
        for name, loss in losses.items():
            g, = torch.autograd.grad(loss, ref, retain_graph=True)
            self.sizes[name] = self.cfg.alpha * self.sizes[name] + (1 - self.cfg.alpha) * g.norm().item()

    def step(self, b):
        losses = self.losses(b)
        self.probe(losses)
        mean = sum(self.sizes.values()) / len(self.sizes)
        total = sum(mean / (self.sizes[n] + 1e-6) * v for n, v in losses.items())
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.history.append({n: v.item() for n, v in losses.items()})


def bundles(n, dim=10):
    w, c = torch.randn(dim, 2), torch.randn(dim, 4)
    for _ in range(n):
        x = torch.randn(48, dim)
        y = x @ w + 0.1 * torch.randn(48, 2)
        yield Bundle(x, {"price": y[:, :1], "delay": y[:, 1:].tanh(), "segment": (x @ c).argmax(1)})


if __name__ == "__main__":
    torch.manual_seed(23)
    cfg = Config()
    trainer = BalancedTrainer(SharedNet(cfg.tasks), cfg)
    for i, b in enumerate(bundles(cfg.steps)):
        trainer.step(b)
        if i % 20 == 19:
            print(i + 1, {k: round(v, 3) for k, v in trainer.history[-1].items()})
