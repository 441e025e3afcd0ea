# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | teacher.shadow | self.shadow[name] | self.teacher.shadow | run.teacher.shadow
# first-bad: 1
"""Semi-supervised shape recognition on point clouds: a PointNet-like student and an averaged teacher,
tied by a consistency term with a ramp."""
from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Iterator

import torch
from torch import Tensor, nn
from torch.func import functional_call

SHAPES = ("sphere", "cube", "cylinder", "torus")


def sample_shape(kind: str, n: int, gen: torch.Generator) -> Tensor:
    u, v = torch.rand(2, n, generator=gen) * 2 * math.pi
    if kind == "sphere":
        p = torch.randn(n, 3, generator=gen)
        return p / p.norm(dim=1, keepdim=True)
    if kind == "cube":
        p = torch.rand(n, 3, generator=gen) * 2 - 1
        axis = torch.randint(3, (n, 1), generator=gen)
        return p.scatter(1, axis, p.gather(1, axis).sign())
    if kind == "cylinder":
        return torch.stack([u.cos(), u.sin(), v / math.pi - 1], 1)
    return torch.stack([(1 + 0.4 * v.cos()) * u.cos(), (1 + 0.4 * v.cos()) * u.sin(), 0.4 * v.sin()], 1)


def clouds(batch: int, points: int, gen: torch.Generator) -> Iterator[tuple[Tensor, Tensor]]:
    labels = torch.arange(160) % len(SHAPES)
    bank = torch.stack([sample_shape(SHAPES[int(k)], points, gen) for k in labels])
    while True:
        idx = torch.randint(len(bank), (batch,), generator=gen)
        yield bank[idx], labels[idx]


def jitter(x: Tensor, sigma: float = 0.08) -> Tensor:
    angle = torch.rand(()) * 2 * math.pi
    c, s = angle.cos(), angle.sin()
    zero, one = torch.zeros(()), torch.ones(())
    rot = torch.stack([torch.stack([c, -s, zero]), torch.stack([s, c, zero]), torch.stack([zero, zero, one])])
    return x @ rot.T + sigma * torch.randn_like(x)


class PointNet(nn.Module):
    def __init__(self, width: int = 48, classes: int = len(SHAPES)) -> None:
        super().__init__()
        self.local = nn.Sequential(nn.Linear(3, width), nn.ReLU(), nn.Linear(width, width))
        self.head = nn.Linear(width, classes)

    def forward(self, x: Tensor) -> Tensor:
        return self.head(self.local(x).amax(1))


class Teacher:
    """The student's weights, averaged over the steps; the module itself is shared."""

    def __init__(self, student: nn.Module, decay: float) -> None:
        self.student, self.decay = student, decay
        self.shadow: dict[str, Tensor] = {n: p.detach().clone() for n, p in student.named_parameters()}

    def __call__(self, x: Tensor) -> Tensor:
        return functional_call(self.student, self.shadow, (x,))

    def follow(self, step: int) -> None:
        decay = min(self.decay, 1 - 1 / (step + 2))
        for name, p in self.student.named_parameters():
            self.shadow[name] = torch.lerp(self.shadow[name], p, 1 - decay)  # <- culprit


@dataclass
class Run:
    steps: int = 220
    labelled: int = 4
    weight: float = 2.0
    ramp: int = 80
    student: PointNet = field(default_factory=PointNet)

    def __post_init__(self) -> None:
        self.teacher = Teacher(self.student, 0.97)
        self.opt = torch.optim.Adam(self.student.parameters(), lr=3e-3)

    def consistency(self, x: Tensor, step: int) -> Tensor:
        ours = self.student(jitter(x)).softmax(-1)
        theirs = self.teacher(jitter(x)).softmax(-1)  # <- culprit
        ramp = math.exp(-5 * (1 - min(1.0, step / self.ramp)) ** 2)
        return self.weight * ramp * (ours - theirs).square().mean()

    def train(self, data: Iterator[tuple[Tensor, Tensor]]) -> None:
        for step in range(self.steps):
            x, y = next(data)
            supervised = nn.functional.cross_entropy(self.student(jitter(x[: self.labelled])), y[: self.labelled])
            loss = supervised + self.consistency(x, step)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.teacher.follow(step)
            if step % 50 == 0:
                print(f"{step:4d}  loss {loss.item():.4f}  supervised {supervised.item():.4f}")

    @torch.no_grad()
    def accuracy(self, x: Tensor, y: Tensor) -> float:
        return float((self.teacher(x).argmax(-1) == y).float().mean())


if __name__ == "__main__":
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(1)
    data = clouds(8, 24, generator)
    run = Run()
    run.train(data)
    accs = [run.accuracy(*next(data)) for _ in range(5)]
    print("teacher accuracy", sum(accs) / len(accs))
