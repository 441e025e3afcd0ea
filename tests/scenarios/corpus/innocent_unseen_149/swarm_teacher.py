# gradwatch-corpus: kind=none
"""Bee counts on comb photographs with few labels: a mean teacher on two views."""
import copy

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(59)


class Teacher:
    def __init__(self, student, decay=0.98):
        self.net = copy.deepcopy(student).requires_grad_(False)
        self.decay = decay
        self.center = torch.zeros(1)

    def follow(self, student):
        for mine, theirs in zip(self.net.parameters(), student.parameters()):
            mine.lerp_(theirs.detach(), 1 - self.decay)

    def __call__(self, x):
        out = self.net(x)
        self.center = 0.9 * self.center + 0.1 * out.mean()
        return out


class Running:
    def __init__(self):
        self.sums, self.n = {}, 0

    def __call__(self, **values):
        self.n += 1
        for k, v in values.items():
            self.sums[k] = self.sums.get(k, 0.0) + v.item()

    def __str__(self):
        return " ".join(f"{k} {v / self.n:.3f}" for k, v in self.sums.items())


def combs(n, labelled=6, loose=24, side=10):
    for _ in range(n):
        bees = torch.randint(0, 12, (labelled + loose,))
        x = torch.rand(labelled + loose, 1, side, side) * 0.2
        for img, count in zip(x, bees):
            img.view(-1)[torch.randperm(side * side)[:count]] = 1.0
        yield x[:labelled], bees[:labelled].float() / 12, x[labelled:]


def shake(x):
    return torch.roll(x, shifts=int(torch.randint(-2, 3, ())), dims=-1) + 0.05 * torch.randn_like(x)


def main():
    student = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.Flatten(), nn.Linear(6 * 64, 16), nn.ReLU(), nn.Linear(16, 1))
    teacher, running = Teacher(student), Running()
    opt = torch.optim.SGD(student.parameters(), lr=0.02, momentum=0.9)
    for n, (x, y, loose) in enumerate(combs(100), 1):
        told = F.mse_loss(student(x).squeeze(1), y)
        agree = F.mse_loss(student(shake(loose)), teacher(shake(loose)))
        weight = min(1.0, n / 30)
        opt.zero_grad()
        (told + weight * agree).backward()
        opt.step()
        teacher.follow(student)
        running(told=told, agree=agree, center=teacher.center)
        if n % 25 == 0:
            print(n, running)


main()
