# gradwatch-corpus: kind=graph-held
# holder: self.path | self.path[n] | si.path | si.path[n] | learner.si.path
# first-bad: 1
"""Continual learning on a stream of rotated blobs, with path-integral importances (after Zenke et al., 2017).
Coursework, group 6."""

import math
import torch
import torch.nn as nn
import torch.nn.functional as F


def make_task(angle, n=2000, dim=20, classes=5, seed=0):
    g = torch.Generator().manual_seed(seed)
    centers = torch.randn(classes, dim, generator=g) * 2.0
    c, s = math.cos(angle), math.sin(angle)
    rot = torch.eye(dim)
    for i in range(0, dim, 2):
        rot[i, i], rot[i, i + 1], rot[i + 1, i], rot[i + 1, i + 1] = c, -s, s, c
    y = torch.randint(classes, (n,), generator=g)
    x = centers[y] + torch.randn(n, dim, generator=g)
    return x @ rot.T, y


def batches(x, y, size, count, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(count):
        idx = torch.randint(len(x), (size,), generator=g)
        yield x[idx], y[idx]


class Importance:
    """Keeps, per parameter, how much of the drop of the loss its path has brought about."""

    def __init__(self, model, c=0.3, xi=0.1):
        self.model = model
        self.c = c
        self.xi = xi
        self.strength = {}
        self.anchor = {}
        for n, p in model.named_parameters():
            self.strength[n] = torch.zeros_like(p, requires_grad=False)
            self.anchor[n] = p.detach().clone()
        self.begin_task()

    def begin_task(self):
        self.path = {}
        self.last = {}
        for n, p in self.model.named_parameters():
            self.path[n] = torch.zeros(p.shape)
            self.last[n] = p.detach().clone()

    def after_step(self):
        for n, p in self.model.named_parameters():
            if p.grad is None:
                continue
            moved = p - self.last[n]  # <- culprit
            self.path[n] = self.path[n] - p.grad * moved  # <- culprit
            self.last[n] = p.detach().clone()

    def end_task(self):
        with torch.no_grad():
            for n, p in self.model.named_parameters():
                span = p - self.anchor[n]
                self.strength[n] += torch.relu(self.path[n] / (span ** 2 + self.xi))
                self.anchor[n] = p.clone()
        self.begin_task()

    def penalty(self):
        total = torch.zeros(())
        for n, p in self.model.named_parameters():
            total = total + (self.strength[n] * (p - self.anchor[n]) ** 2).sum()
        return self.c * total


class Learner:
    def __init__(self, dim, classes):
        self.net = nn.Sequential(
            nn.Linear(dim, 64), nn.ReLU(),
            nn.Linear(64, 64), nn.ReLU(),
            nn.Linear(64, classes),
        )
        self.si = Importance(self.net)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.03, momentum=0.8)

    def fit_batch(self, x, y, first_task):
        self.opt.zero_grad()
        loss = F.cross_entropy(self.net(x), y)
        if not first_task:
            loss = loss + self.si.penalty()
        loss.backward()
        self.opt.step()
        self.si.after_step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, x, y):
        self.net.eval()
        acc = (self.net(x).argmax(1) == y).float().mean().item()
        self.net.train()
        return acc


def main():
    torch.manual_seed(3)
    tasks = [make_task(a, seed=42) for a in (0.0, 0.9, 1.8)]
    learner = Learner(20, 5)
    for k, (x, y) in enumerate(tasks):
        for i, (bx, by) in enumerate(batches(x, y, 32, 300, seed=k)):
            loss = learner.fit_batch(bx, by, first_task=(k == 0))
            if i % 100 == 0:
                print("task %d  it %3d  loss %.4f" % (k, i, loss))
        learner.si.end_task()
        print("  acc:", " ".join("%.3f" % learner.accuracy(*tasks[j]) for j in range(k + 1)))


if __name__ == "__main__":
    main()
