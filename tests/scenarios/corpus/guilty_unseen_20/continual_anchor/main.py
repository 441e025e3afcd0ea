# gradwatch-corpus: kind=graph-chain
# holder: self.anchors | anchor.anchors | learner.anchor.anchors | self.anchors[name]
# first-bad: 1
"""Permuted-digits-style continual learning with a slow-moving anchor of the weights (Chapter 3 of the thesis)."""
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F

from anchoring import SlowAnchor


class TaskStream:
    """A sequence of tasks: the same Gaussian classes under another permutation of the inputs."""

    def __init__(self, n_tasks=4, dim=32, classes=6, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.means = 1.5 * torch.randn(classes, dim, generator=self.gen)
        self.perms = [torch.randperm(dim, generator=self.gen) for _ in range(n_tasks)]

    def sample(self, task, n):
        y = torch.randint(len(self.means), (n,), generator=self.gen)
        x = self.means[y] + torch.randn(n, self.means.size(1), generator=self.gen)
        return x[:, self.perms[task]], y


class Learner:
    def __init__(self, strength=0.5):
        self.net = nn.Sequential(nn.Linear(32, 40), nn.ReLU(), nn.Linear(40, 6))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)
        self.anchor = SlowAnchor(self.net, rate=0.02)
        self.strength = strength

    def observe(self, x, y):
        self.opt.zero_grad()
        ce = F.cross_entropy(self.net(x), y)
        pull = self.anchor.distance()
        (ce + self.strength * pull).backward()
        self.opt.step()
        self.anchor.follow()
        return ce.item(), pull.item()

    def accuracy(self, x, y):
        with torch.no_grad():
            return (self.net(x).argmax(1) == y).float().mean().item()


def main(per_task=60, batch=64):
    torch.manual_seed(1)
    stream = TaskStream()
    learner = Learner()
    tasks = range(len(stream.perms))
    for task, step in itertools.product(tasks, range(per_task)):
        ce, pull = learner.observe(*stream.sample(task, batch))
        if step == per_task - 1:
            seen = [f"{learner.accuracy(*stream.sample(t, 200)):.2f}" for t in range(task + 1)]
            print(f"task {task}: ce {ce:.3f} pull {pull:.4f} accuracies {' '.join(seen)}")


if __name__ == "__main__":
    main()
