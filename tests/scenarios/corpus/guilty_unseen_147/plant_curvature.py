# gradwatch-corpus: kind=graph-held
# holder: p.grad | weight.grad | bias.grad | engine.model.trunk[0].weight.grad | self.params[0].grad
# first-bad: 1
# notice: 8
from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import Callable, Iterator

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(12)


@dataclass
class EngineConfig:
    lr: float = 0.01
    second_order: bool = True
    probe_every: int = 50


class YieldModel(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(5, 12), nn.Softplus(), nn.Linear(12, 12), nn.Softplus())
        self.mean = nn.Linear(12, 1)
        self.spread = nn.Linear(12, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.mean(h), self.spread(h).clamp(-3, 3)


def gaussian_nll(model, x, y):
    mu, s = model(x)
    return (0.5 * torch.exp(-2 * s) * (y - mu) ** 2 + s).mean()


class GradBuffers:
    """Keeps the grad storage allocated between steps."""

    def __init__(self, params) -> None:
        self.params = list(params)

    def clear(self) -> None:
        live = [p.grad.data for p in self.params if p.grad is not None]
        if live:
            torch._foreach_zero_(live)  # <- culprit

    @contextmanager
    def filled_by(self, objective, higher: bool) -> Iterator[list[torch.Tensor]]:
        self.clear()
        objective.backward(create_graph=higher)  # <- culprit
        yield [p.grad.data for p in self.params]


class Engine:
    def __init__(self, model: nn.Module, objective: Callable, cfg: EngineConfig) -> None:
        self.model, self.objective, self.cfg = model, objective, cfg
        self.buffers = GradBuffers(model.parameters())
        self.curvature: list[float] = []

    def _probe(self, x, y) -> float:
        ps = self.buffers.params
        g = torch.autograd.grad(self.objective(self.model, x, y), ps, create_graph=True)
        v = [torch.randn_like(p).sign() for p in ps]
        hv = torch.autograd.grad(sum((a * b).sum() for a, b in zip(g, v)), ps)
        return sum((a * b).sum().item() for a, b in zip(hv, v))

    def step(self, k, x, y) -> None:
        with self.buffers.filled_by(self.objective(self.model, x, y), self.cfg.second_order) as grads:
            with torch.no_grad():
                for p, g in zip(self.buffers.params, grads):
                    p.sub_(g, alpha=self.cfg.lr)
        if k % self.cfg.probe_every == 0:
            self.curvature.append(self._probe(x, y))


engine = Engine(YieldModel(), gaussian_nll, EngineConfig())
coef = torch.tensor([[0.6], [-0.2], [0.1], [0.9], [-0.5]])
for k in range(250):
    plots = torch.randn(16, 5)
    engine.step(k, plots, plots @ coef + 0.2 * torch.randn(16, 1))
print([round(c, 3) for c in engine.curvature])
