# gradwatch-corpus: kind=none
"""Wind-turbine multitask model: per-task gradients are projected to remove conflicts (PCGrad)."""
from __future__ import annotations

import contextlib
import contextvars
from dataclasses import dataclass, field
from functools import singledispatch
from typing import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor, nn

current_step: contextvars.ContextVar[int] = contextvars.ContextVar("current_step", default=0)


@dataclass(frozen=True)
class Task:
    name: str
    dim: int


@dataclass(frozen=True)
class Power(Task):
    scale: float = 1.0


@dataclass(frozen=True)
class Alarm(Task):
    positive_weight: float = 2.0


@singledispatch
def task_loss(task: Task, out: Tensor, y: Tensor) -> Tensor:
    raise NotImplementedError(type(task).__name__)


@task_loss.register
def _(task: Power, out: Tensor, y: Tensor) -> Tensor:
    return F.huber_loss(out.squeeze(-1) / task.scale, y)


@task_loss.register
def _(task: Alarm, out: Tensor, y: Tensor) -> Tensor:
    return F.binary_cross_entropy_with_logits(out.squeeze(-1), y, pos_weight=torch.tensor(task.positive_weight))


@contextlib.contextmanager
def step_scope(step: int) -> Iterator[None]:
    token = current_step.set(step)
    try:
        yield
    finally:
        current_step.reset(token)


class MultiHead(nn.Module):
    def __init__(self, n_in: int, tasks: list[Task]) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, 24), nn.Mish(), nn.Linear(24, 24), nn.Mish())
        self.heads = nn.ModuleDict({t.name: nn.Linear(24, t.dim) for t in tasks})

    def forward(self, x: Tensor) -> dict[str, Tensor]:
        h = self.trunk(x)
        return {name: head(h) for name, head in self.heads.items()}


@dataclass
class ConflictLog:
    cosines: list[tuple[int, Tensor]] = field(default_factory=list)

    def add(self, a: Tensor, b: Tensor) -> None:
        self.cosines.append((current_step.get(), F.cosine_similarity(a, b, dim=0)))


class PCGradTrainer:
    def __init__(self, model: MultiHead, tasks: list[Task], log: ConflictLog) -> None:
        self.model, self.tasks, self.log = model, tasks, log
        self.opt = torch.optim.Adam(model.parameters(), 2e-3)
        self.log_vars = nn.ParameterDict({t.name: nn.Parameter(torch.zeros(())) for t in tasks})
        self.weight_opt = torch.optim.SGD(self.log_vars.parameters(), 0.01)

    def trunk_grads(self, losses: list[Tensor]) -> list[Tensor]:
        trunk = list(self.model.trunk.parameters())
        return [
            torch.cat([g.flatten() for g in torch.autograd.grad(loss, trunk, retain_graph=True)])
            for loss in losses
        ]

    def combine(self, grads: list[Tensor]) -> Tensor:
        a, b = grads
        self.log.add(a, b)
        dot = torch.dot(a, b)
        if dot >= 0:
            return a + b
        return a - dot / b.dot(b) * b + b - dot / a.dot(a) * a

    def write_trunk(self, flat: Tensor) -> None:
        offset = 0
        for p in self.model.trunk.parameters():
            p.grad = flat[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()

    def step(self, x: Tensor, y: dict[str, Tensor]) -> float:
        out = self.model(x)
        losses = [
            task_loss(t, out[t.name], y[t.name]) * (-self.log_vars[t.name]).exp() + self.log_vars[t.name]
            for t in self.tasks
        ]
        flat = self.combine(self.trunk_grads(losses))
        self.opt.zero_grad()
        self.weight_opt.zero_grad()
        total = torch.stack(losses).sum()
        total.backward()
        self.write_trunk(flat)
        self.opt.step()
        self.weight_opt.step()
        return total.item()


def turbines(n: int) -> tuple[Tensor, dict[str, Tensor]]:
    x = torch.randn(n, 7)
    return x, {"power": torch.tanh(x[:, 0] + x[:, 1]), "alarm": (x[:, 1] - x[:, 2] > 0.8).float()}


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(19)
    tasks: list[Task] = [Power("power", 1), Alarm("alarm", 1)]
    trainer = PCGradTrainer(MultiHead(7, tasks), tasks, ConflictLog())
    for i in range(330):
        with step_scope(i):
            value = trainer.step(*turbines(24))
        if i % 80 == 0:
            print(f"{i:4d} {value:.4f} cos {trainer.log.cosines[-1][1].item():+.2f}")
