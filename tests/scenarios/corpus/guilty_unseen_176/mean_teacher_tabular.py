# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Mean-teacher semi-supervised learning on a synthetic tabular problem."""
from __future__ import annotations

import copy
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Args:
    features: int = 16
    classes: int = 4
    labelled: int = 48
    unlabelled: int = 2000
    steps: int = 600
    ema: float = 0.99
    ramp: int = 150
    noise: float = 0.3


class TabNet(nn.Module):
    def __init__(self, features: int, classes: int, hidden: int = 64):
        super().__init__()
        self.inp = nn.Sequential(nn.Linear(features, hidden), nn.LayerNorm(hidden), nn.SiLU())
        self.mid = nn.Sequential(nn.Linear(hidden, hidden), nn.SiLU(), nn.Dropout(0.1))
        self.out = nn.Linear(hidden, classes)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.inp(x)
        return self.out(h + self.mid(h))


class MeanTeacher:
    def __init__(self, args: Args):
        self.args = args
        self.student = TabNet(args.features, args.classes)
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=2e-3)

    def weight(self, step: int) -> float:
        phase = 1.0 - min(step / self.args.ramp, 1.0)
        return math.exp(-5.0 * phase * phase)

    @torch.no_grad()
    def update_teacher(self, step: int) -> None:
        decay = min(self.args.ema, 1 - 1 / (step + 1))
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.lerp_(s, 1 - decay)

    def step(self, step: int, xl: torch.Tensor, yl: torch.Tensor, xu: torch.Tensor) -> float:
        a = self.args
        with torch.no_grad():
            target = self.teacher(xu + a.noise * torch.randn_like(xu)).softmax(-1)
        pred = self.student(xu + a.noise * torch.randn_like(xu)).softmax(-1)
        loss = F.cross_entropy(self.student(xl), yl) + 4 * self.weight(step) * F.mse_loss(pred, target)
        self.teacher.zero_grad()  # <- culprit
        loss.backward()
        self.opt.step()
        self.update_teacher(step)
        return loss.item()


def make_table(n: int, args: Args, gen: torch.Generator, centres: torch.Tensor):
    y = torch.randint(args.classes, (n,), generator=gen)
    return centres[y] + torch.randn(n, args.features, generator=gen), y


def main() -> None:
    args = Args()
    torch.manual_seed(19)
    gen = torch.Generator().manual_seed(20)
    centres = torch.randn(args.classes, args.features, generator=gen)
    xl, yl = make_table(args.labelled, args, gen, centres)
    xu, _ = make_table(args.unlabelled, args, gen, centres)
    xt, yt = make_table(500, args, gen, centres)
    mt = MeanTeacher(args)
    for step in range(args.steps):
        pick = torch.randint(len(xu), (96,), generator=gen)
        loss = mt.step(step, xl, yl, xu[pick])
        if step % 100 == 0:
            mt.teacher.eval()
            with torch.no_grad():
                acc = (mt.teacher(xt).argmax(-1) == yt).float().mean().item()
            mt.teacher.train()
            print(f"{step:4d} loss {loss:.4f} teacher acc {acc:.3f}")


if __name__ == "__main__":
    main()
