# gradwatch-corpus: kind=none
import copy
import math
from contextlib import contextmanager

import torch
from torch import nn
import torch.nn.functional as F


class LeafNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.f = nn.Sequential(
            nn.Conv2d(3, 12, 3, padding=1), nn.BatchNorm2d(12), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(12, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
        self.out = nn.Linear(96, classes)

    def forward(self, x):
        return self.out(self.f(x))


class Teacher:
    def __init__(self, student, decay):
        self.net = copy.deepcopy(student)
        self.net.requires_grad_(False)
        self.decay, self.seen = decay, 0

    @torch.no_grad()
    def follow(self, student):
        self.seen += 1
        d = min(self.decay, 1 - 1 / (self.seen + 1))
        for q, p in zip(self.net.parameters(), student.parameters()):
            q.mul_(d).add_(p, alpha=1 - d)
        for q, p in zip(self.net.buffers(), student.buffers()):
            q.copy_(p)

    def __call__(self, x):
        return self.net(x)


@contextmanager
def evaluating(*nets):
    was = [n.training for n in nets]
    for n in nets:
        n.eval()
    with torch.no_grad():
        yield
    for n, w in zip(nets, was):
        n.train(w)


def leaves(n, gen, classes=4):
    y = torch.randint(0, classes, (n,), generator=gen)
    x = 0.3 * torch.randn(n, 3, 12, 12, generator=gen)
    for i, c in enumerate(y.tolist()):
        x[i, c % 3, (c // 2) * 6:(c // 2) * 6 + 6] += 0.8
    return x, y


def main():
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(6)
    student = LeafNet()
    teacher = Teacher(student, 0.97)
    opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
    xt, yt = leaves(128, gen)
    trail = {"sup": [], "cons": []}
    for it in range(120):
        xl, yl = leaves(12, gen)
        xu, _ = leaves(24, gen)
        sup = F.cross_entropy(student(xl), yl)
        with torch.no_grad():
            soft = teacher(xu + 0.1 * torch.randn_like(xu)).softmax(-1)
        cons = F.mse_loss(student(xu + 0.1 * torch.randn_like(xu)).softmax(-1), soft)
        w = 5 * math.exp(-5 * (1 - min(1, it / 60)) ** 2)
        opt.zero_grad()
        (sup + w * cons).backward()
        opt.step()
        teacher.follow(student)
        trail["sup"].append(sup.item())
        trail["cons"].append(cons.item())
        if it % 40 == 39:
            with evaluating(student, teacher.net):
                acc = [(n(xt).argmax(1) == yt).float().mean().item() for n in (student, teacher)]
            print(it + 1, trail["sup"][-1], acc)


if __name__ == "__main__":
    main()
