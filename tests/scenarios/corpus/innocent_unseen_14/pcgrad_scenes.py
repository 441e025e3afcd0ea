# gradwatch-corpus: kind=none
"""Three heads on one trunk with gradient surgery (PCGrad): each task's gradient on the trunk is
projected off those it conflicts with. The running loss of each task only scales the printout."""
from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn

torch.manual_seed(301)


class RunningScale:
    """Descriptor: keeps one exponential average per instance, set by assignment."""

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.slot, 1.0)

    def __set__(self, obj, value: Tensor):
        old = getattr(obj, self.slot, None)
        value = value.detach()
        setattr(obj, self.slot, value if old is None else 0.95 * old + 0.05 * value)


@dataclass(eq=False)
class Task:
    name: str
    head: nn.Module
    target_key: str
    recent: deque = field(default_factory=lambda: deque(maxlen=50))
    scale = RunningScale()

    def loss(self, features: Tensor, batch: dict[str, Tensor]) -> Tensor:
        out = self.head(features)
        target = batch[self.target_key]
        if target.dtype == torch.long:
            value = F.cross_entropy(out, target)
        else:
            value = F.smooth_l1_loss(out.squeeze(-1), target)
        self.scale = value
        self.recent.append(value.detach())
        return value


class Surgery:
    def __init__(self, shared: list[nn.Parameter], seed: int):
        self.shared = shared
        self.rng = random.Random(seed)
        self.conflicts = 0

    def _flat(self, grads) -> Tensor:
        return torch.cat([g.reshape(-1) for g in grads])

    def backward(self, losses: list[tuple[Task, Tensor]]) -> None:
        shared_grads = []
        for i, (task, loss) in enumerate(losses):
            own = list(task.head.parameters())
            more_to_come = i < len(losses) - 1
            grads = torch.autograd.grad(loss, self.shared + own, retain_graph=more_to_come)
            shared_grads.append(self._flat(grads[:len(self.shared)]))
            for p, g in zip(own, grads[len(self.shared):]):
                p.grad = g
        merged = torch.zeros_like(shared_grads[0])
        for i, g in enumerate(shared_grads):
            g = g.clone()
            others = [j for j in range(len(shared_grads)) if j != i]
            self.rng.shuffle(others)
            for j in others:
                dot = torch.dot(g, shared_grads[j])
                if dot < 0:
                    self.conflicts += 1
                    g -= dot / shared_grads[j].square().sum() * shared_grads[j]
            merged += g
        offset = 0
        for p in self.shared:
            p.grad = merged[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()


def scenes(batch: int, seed: int):
    gen = torch.Generator().manual_seed(seed)
    mix = torch.randn(16, 16, generator=gen) / 4
    while True:
        x = torch.randn(batch, 16, generator=gen)
        z = torch.tanh(x @ mix)
        yield {"x": x, "depth": z[:, :4].sum(1), "tilt": z[:, 2:6].prod(1) - z[:, 0],
               "label": (z[:, 0] > 0).long() + 2 * (z[:, 5] > 0).long()}


def main(steps: int = 300) -> None:
    trunk = nn.Sequential(nn.Linear(16, 48), nn.SiLU(), nn.Linear(48, 32), nn.SiLU())
    tasks = [Task("depth", nn.Linear(32, 1), "depth"), Task("tilt", nn.Linear(32, 1), "tilt"),
             Task("label", nn.Linear(32, 4), "label")]
    surgery = Surgery(list(trunk.parameters()), seed=1)
    opt = torch.optim.Adam([*trunk.parameters(), *(p for t in tasks for p in t.head.parameters())], lr=3e-3)
    for step, batch in zip(range(steps), scenes(64, seed=2)):
        features = trunk(batch["x"])
        losses = [(task, task.loss(features, batch)) for task in tasks]
        opt.zero_grad()
        surgery.backward(losses)
        opt.step()
        if step % 60 == 59:
            shown = "  ".join(f"{t.name} {torch.stack(list(t.recent)).mean():.4f} (avg {float(t.scale):.3f})" for t in tasks)
            print(f"{step + 1:4d}  {shown}  conflicts {surgery.conflicts}")


if __name__ == "__main__":
    main()
