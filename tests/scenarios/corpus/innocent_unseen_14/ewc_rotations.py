# gradwatch-corpus: kind=none
"""Continual learning over a sequence of rotated two-moons-like tasks with online EWC; consolidated
importances live in a registry keyed weakly by the layers they belong to."""
from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(slots=True)
class Anchor:
    value: Tensor
    importance: Tensor

    def pull(self, current: Tensor) -> Tensor:
        return (self.importance * (current - self.value).square()).sum()


class Consolidation:
    """Online EWC: one anchor per parameter, importance decayed and re-estimated after each task."""

    def __init__(self, module: nn.Module, strength: float, decay: float = 0.8):
        self.module, self.strength, self.decay = module, strength, decay
        self.anchors: WeakKeyDictionary[nn.Module, dict[str, Anchor]] = WeakKeyDictionary()

    def penalty(self) -> Tensor:
        total = torch.zeros(())
        for layer in self.module.children():
            for name, anchor in self.anchors.get(layer, {}).items():
                total = total + anchor.pull(getattr(layer, name))
        return 0.5 * self.strength * total

    def _fisher(self, params: list[Tensor], batches) -> list[Tensor]:
        fisher = [torch.zeros_like(p) for p in params]
        count = 0
        for x, _ in batches:
            log_p = F.log_softmax(self.module(x), -1)
            sampled = torch.distributions.Categorical(logits=log_p.detach()).sample()
            rows = F.nll_loss(log_p, sampled, reduction="none")
            for i, row in enumerate(rows):
                grads = torch.autograd.grad(row, params, retain_graph=i + 1 < len(rows))
                for f, g in zip(fisher, grads):
                    f += g.square()
                count += 1
        return [f / count for f in fisher]

    def consolidate(self, batches) -> None:
        slots = [(layer, name, p) for layer in self.module.children() for name, p in layer.named_parameters()]
        for (layer, name, p), f in zip(slots, self._fisher([p for _, _, p in slots], batches)):
            anchors = self.anchors.setdefault(layer, {})
            if name in anchors:
                f = f + self.decay * anchors[name].importance
            anchors[name] = Anchor(p.detach().clone(), f)


@dataclass(frozen=True)
class RotatedMoons:
    angle: float
    gen: torch.Generator

    def sample(self, n: int) -> tuple[Tensor, Tensor]:
        y = torch.randint(2, (n,), generator=self.gen)
        t = torch.rand(n, generator=self.gen) * math.pi + math.pi * y
        x = torch.stack((t.cos() + (y - 0.5), t.sin() + 0.4 * (0.5 - y)), -1)
        x = x + 0.12 * torch.randn(n, 2, generator=self.gen)
        c, s = math.cos(self.angle), math.sin(self.angle)
        return x @ torch.tensor([[c, s], [-s, c]]), y


@contextmanager
def evaluating(module: nn.Module):
    was = module.training
    module.eval()
    try:
        with torch.no_grad():
            yield module
    finally:
        module.train(was)


def accuracy(module: nn.Module, task: RotatedMoons) -> float:
    with evaluating(module) as m:
        x, y = task.sample(256)
        return m(x).argmax(1).eq(y).float().mean().item()


def main(steps_per_task: int = 80) -> None:
    torch.manual_seed(15)
    gen = torch.Generator().manual_seed(15)
    tasks = [RotatedMoons(a, gen) for a in (0.0, 0.35, 0.7, 1.05)]
    net = nn.Sequential(nn.Linear(2, 40), nn.ReLU(), nn.Dropout(0.05), nn.Linear(40, 2))
    ewc = Consolidation(net, strength=60.0)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for number, task in enumerate(tasks):
        total = 0.0
        for _ in range(steps_per_task):
            x, y = task.sample(64)
            fit, pull = F.cross_entropy(net(x), y), ewc.penalty()
            loss = fit + pull
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += fit.item()
        ewc.consolidate([task.sample(16) for _ in range(2)])
        accs = " ".join(f"{accuracy(net, t):.2f}" for t in tasks[:number + 1])
        print(f"task {number}: mean loss {total / steps_per_task:.3f}  accuracies so far {accs}")


if __name__ == "__main__":
    main()
