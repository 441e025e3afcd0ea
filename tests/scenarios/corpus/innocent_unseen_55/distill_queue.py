# gradwatch-corpus: kind=none
"""Student-teacher distillation with relations to past features."""
import copy
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Conf:
    dim: int = 20
    width: int = 56
    out: int = 12
    depth: int = 6
    batch: int = 40
    steps: int = 110
    tau: float = 0.02


class Past(deque):
    """Features of the last few batches, by either network."""

    def append(self, feats):
        super().append(feats.detach())

    def push(self, student, teacher):
        self.append(student)
        self.append(teacher)

    def rows(self):
        return torch.cat(list(self))


class Ema:
    def __init__(self, model, tau):
        self.model = copy.deepcopy(model).requires_grad_(False)
        self.tau = tau

    def __call__(self, x):
        return F.normalize(self.model(x), dim=-1)

    @torch.no_grad()
    def follow(self, source):
        for mine, other in zip(self.model.parameters(), source.parameters()):
            mine.copy_(torch.lerp(mine, other, self.tau))


class Distiller:
    def __init__(self, c):
        self.c = c
        self.student = nn.Sequential(nn.Linear(c.dim, c.width), nn.SiLU(), nn.Linear(c.width, c.out))
        self.teacher = Ema(self.student, c.tau)
        self.past = Past(maxlen=c.depth)
        self.opt = torch.optim.Adam(self.student.parameters(), lr=3e-3)
        self.losses = deque(maxlen=20)

    def relation(self, s, t):
        rows = self.past.rows() if self.past else t
        want = F.softmax(t @ rows.t() / 0.1, -1)
        got = F.log_softmax(s @ rows.t() / 0.2, -1)
        return F.kl_div(got, want, reduction="batchmean")

    def step(self, a, b):
        s, t = F.normalize(self.student(a), dim=-1), self.teacher(b)
        loss = self.relation(s, t) + (1 - (s * t).sum(-1)).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.teacher.follow(self.student)
        self.past.push(s, t)
        self.losses.append(loss.detach())
        return loss

    @property
    def level(self):
        return torch.stack(list(self.losses)).mean().item()


def main():
    torch.manual_seed(29)
    c = Conf()
    run = Distiller(c)
    centres = torch.randn(30, c.dim)
    for i in range(c.steps):
        x = centres[torch.randint(30, (c.batch,))]
        run.step(x + 0.3 * torch.randn_like(x), x + 0.3 * torch.randn_like(x))
        if i % 22 == 21:
            print(f"{i + 1:4d} level {run.level:.4f} past {len(run.past)}")


main()
