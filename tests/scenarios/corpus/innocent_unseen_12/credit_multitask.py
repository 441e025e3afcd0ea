# gradwatch-corpus: kind=none
"""Three credit targets on one trunk. Conflicting gradients on the trunk are projected away
(PCGrad); losses are brought to one scale by their running level."""
import abc
import itertools
from dataclasses import dataclass, field
from typing import Dict, List

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class Level:
    """Running level as a descriptor: assigning a loss moves it."""

    def __init__(self, beta: float):
        self.beta = beta

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, task, owner=None):
        return self if task is None else task.__dict__.get(self.slot, torch.ones(()))

    def __set__(self, task, loss: Tensor):
        with torch.no_grad():
            task.__dict__[self.slot] = torch.lerp(loss, self.__get__(task), self.beta)


class Task(abc.ABC):
    level = Level(beta=0.95)

    def __init__(self, name: str, width: int):
        self.name, self.head = name, nn.Linear(width, 1)

    @abc.abstractmethod
    def measure(self, out: Tensor, y: Tensor) -> Tensor:
        ...

    def loss(self, z: Tensor, y: Tensor) -> Tensor:
        raw = self.measure(self.head(z), y)
        self.level = raw
        return raw / self.level.clamp(min=1e-2)


class Binary(Task):
    def measure(self, out, y):
        return F.binary_cross_entropy_with_logits(out, (y > 0).float())


class Amount(Task):
    def measure(self, out, y):
        return F.huber_loss(out, y)


@dataclass
class ConflictLog:
    counts: Dict[tuple, int] = field(default_factory=dict)

    def hit(self, a: str, b: str) -> None:
        self.counts[a, b] = self.counts.get((a, b), 0) + 1


class PCGradTrainer:
    def __init__(self, features=20, width=32):
        torch.manual_seed(30)
        self.trunk = nn.Sequential(nn.Linear(features, width), nn.GELU(), nn.Linear(width, width), nn.GELU())
        self.tasks: List[Task] = [Binary("default", width), Binary("churn", width), Amount("limit", width)]
        self.shared = list(self.trunk.parameters())
        self.own = [p for t in self.tasks for p in t.head.parameters()]
        self.opt = torch.optim.Adam(self.shared + self.own, lr=2e-3)
        self.conflicts = ConflictLog()

    def gradients(self, losses: List[Tensor]) -> List[Tensor]:
        flat, last = [], len(losses) - 1
        for k, (task, loss) in enumerate(zip(self.tasks, losses)):
            heads = list(task.head.parameters())
            grads = torch.autograd.grad(loss, self.shared + heads, retain_graph=k < last)
            for p, g in zip(heads, grads[len(self.shared):]):
                p.grad = g
            flat.append(torch.cat([g.flatten() for g in grads[:len(self.shared)]]))
        return flat

    def project(self, flat: List[Tensor]) -> Tensor:
        out = [g.clone() for g in flat]
        for i, j in itertools.permutations(range(len(flat)), 2):
            dot = out[i] @ flat[j]
            if dot < 0:
                out[i] -= dot / flat[j].square().sum() * flat[j]
                self.conflicts.hit(self.tasks[i].name, self.tasks[j].name)
        return sum(out)

    def step(self, x: Tensor, ys: Tensor) -> Dict[str, float]:
        z = self.trunk(x)
        losses = [t.loss(z, ys[:, k:k + 1]) for k, t in enumerate(self.tasks)]
        self.opt.zero_grad(set_to_none=True)
        merged = self.project(self.gradients(losses))
        for p, g in zip(self.shared, merged.split([p.numel() for p in self.shared])):
            p.grad = g.view_as(p)
        self.opt.step()
        return {t.name: t.level.item() for t in self.tasks}


def applicants(seed=50, features=20, batch=48):
    gen = torch.Generator().manual_seed(seed)
    w = torch.randn(features, 3, generator=gen) / features ** 0.5
    while True:
        x = torch.randn(batch, features, generator=gen)
        yield x, torch.sin(2 * x @ w) + 0.2 * torch.randn(batch, 3, generator=gen)


if __name__ == "__main__":
    trainer = PCGradTrainer()
    for step, (x, ys) in zip(range(240), applicants()):
        levels = trainer.step(x, ys)
        if step % 60 == 0:
            print(step, {k: round(v, 4) for k, v in levels.items()})
    print("conflicts:", trainer.conflicts.counts)
