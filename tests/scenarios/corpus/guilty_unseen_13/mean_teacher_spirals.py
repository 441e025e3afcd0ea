# gradwatch-corpus: kind=graph-chain
# holder: run.teacher.shadow | self.shadow | teacher.shadow | self.shadow[name] | teacher.shadow[name] | self.teacher.shadow
# first-bad: 1
"""Mean teacher (Tarvainen & Valpola) for three spirals with 15 labels: supervised loss on the
labelled points, consistency with the averaged weights on the others."""
import math

import torch
from torch import nn
from torch.func import functional_call
from torch.nn import functional as F


def spirals(n, generator, arms=3, noise=0.05):
    label = torch.randint(arms, (n,), generator=generator)
    radius = torch.rand(n, generator=generator).sqrt()
    theta = 2.2 * math.pi * radius + 2 * math.pi * label / arms
    xy = torch.stack([radius * theta.cos(), radius * theta.sin()], 1)
    return xy + noise * torch.randn(n, 2, generator=generator), label


class Student(nn.Sequential):
    def __init__(self, arms=3, width=48):
        super().__init__(
            nn.Linear(2, width), nn.LeakyReLU(0.1),
            nn.Linear(width, width), nn.LeakyReLU(0.1),
            nn.Linear(width, arms),
        )


class AveragedTeacher:
    """Functional copy of the student: holds averaged weights only, and no module."""

    def __init__(self, student, decay=0.98):
        self.student = student
        self.decay = decay
        self.shadow = {name: p.detach().clone() for name, p in student.named_parameters()}
        self.updates = 0

    def __call__(self, x):
        return functional_call(self.student, self.shadow, (x,))

    def update(self):
        self.updates += 1
        d = min(self.decay, 1 - 1 / (self.updates + 1))
        for name, p in self.student.named_parameters():
            self.shadow[name] = torch.lerp(self.shadow[name], p, 1 - d)  # <- culprit


def rampup(step, length=150):
    t = min(1.0, step / length)
    return math.exp(-5 * (1 - t) ** 2)


class MeanTeacherRun:
    def __init__(self, seed=0, weight=4.0):
        self.g = torch.Generator().manual_seed(seed)
        torch.manual_seed(seed)
        self.student = Student()
        self.teacher = AveragedTeacher(self.student)
        self.weight = weight
        self.opt = torch.optim.SGD(self.student.parameters(), lr=0.05, momentum=0.9, nesterov=True)
        self.labelled = spirals(15, self.g)

    def jitter(self, x):
        return x + 0.04 * torch.randn(x.shape, generator=self.g)

    def consistency(self, x):
        mine = F.softmax(self.student(self.jitter(x)), 1)
        theirs = F.softmax(self.teacher(self.jitter(x)), 1)  # <- culprit
        return F.mse_loss(mine, theirs)

    def step(self, i):
        x, y = self.labelled
        unlabelled, _ = spirals(64, self.g)
        supervised = F.cross_entropy(self.student(self.jitter(x)), y)
        agree = self.consistency(unlabelled)
        loss = supervised + self.weight * rampup(i) * agree
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.teacher.update()
        return supervised.item(), agree.item()

    @torch.no_grad()
    def accuracy(self, n=300):
        x, y = spirals(n, self.g)
        return [(f(x).argmax(1) == y).float().mean().item() for f in (self.student, self.teacher)]


def main(steps=400):
    run = MeanTeacherRun()
    for i in range(steps):
        sup, agree = run.step(i)
        if i % 80 == 0:
            s, t = run.accuracy()
            print(f"{i:4d} sup {sup:.3f} cons {agree:.4f} student {s:.2f} teacher {t:.2f}")


if __name__ == "__main__":
    main()
