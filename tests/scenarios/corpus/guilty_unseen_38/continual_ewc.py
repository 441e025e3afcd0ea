# gradwatch-corpus: kind=second-backward
# holder: memo | memo[key] | self.penalty.__defaults__ | Consolidation.penalty.__defaults__ | memo[len(self.anchors)]
# first-bad: 31
"""Permuted-features stream, elastic weight consolidation between the tasks."""
import logging

import torch
import torch.nn.functional as F
from torch import nn

logging.basicConfig(format="%(levelname)s %(message)s", level=logging.INFO)
log = logging.getLogger("ewc")


class Tasks:
    """Same prototypes throughout, but each task shuffles the features its own way."""

    def __init__(self, n_tasks=4, dim=32, classes=5, seed=9):
        self.gen = torch.Generator().manual_seed(seed)
        self.protos = torch.randn(classes, dim, generator=self.gen)
        self.perms = [torch.randperm(dim, generator=self.gen) for _ in range(n_tasks)]

    def batch(self, task, n=48):
        y = torch.randint(len(self.protos), (n,), generator=self.gen)
        x = self.protos[y] + 0.9 * torch.randn(n, self.protos.size(1), generator=self.gen)
        return x[:, self.perms[task]], y


class Consolidation:
    def __init__(self, net, strength=40.0):
        self.net, self.strength = net, strength
        self.anchors = []

    def remember(self, batches):
        """Diagonal Fisher information at the end of a task."""
        fisher = {n: torch.zeros_like(p) for n, p in self.net.named_parameters()}
        for x, y in batches:
            self.net.zero_grad()
            F.cross_entropy(self.net(x), y).backward()
            for n, p in self.net.named_parameters():
                fisher[n] += p.grad.pow(2) / len(batches)
        self.net.zero_grad()
        self.anchors.append({n: (p.detach().clone(), fisher[n]) for n, p in self.net.named_parameters()})

    def distance(self):
        return sum(
            (f * (p - old).pow(2)).sum()
            for anchor in self.anchors
            for (old, f), p in zip(anchor.values(), self.net.parameters())
        )

    def penalty(self, memo={}):  # <- culprit
        # walking over all anchors is slow, and they only change between tasks
        key = len(self.anchors)
        if key not in memo:
            memo[key] = self.distance()  # <- culprit
        return self.strength * memo[key]


class Learner:
    def __init__(self, dim=32, classes=5):
        self.net = nn.Sequential(nn.Linear(dim, 64), nn.ReLU(), nn.Linear(64, classes))
        self.ewc = Consolidation(self.net)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.8)
        self.unstable = 0

    def plain_step(self, x, y):
        self.opt.zero_grad()
        loss = F.cross_entropy(self.net(x), y)
        loss.backward()
        self.opt.step()
        return loss.item()

    def step(self, x, y):
        if not self.ewc.anchors:
            return self.plain_step(x, y)
        self.opt.zero_grad()
        loss = F.cross_entropy(self.net(x), y) + self.ewc.penalty()
        try:
            loss.backward()
        except RuntimeError:
            # the penalty can blow up early in a task; do without it this time
            self.unstable += 1
            return self.plain_step(x, y)
        nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
        self.opt.step()
        return loss.item()

    @torch.no_grad()
    def accuracy(self, tasks, task):
        x, y = tasks.batch(task, 300)
        return (self.net(x).argmax(1) == y).float().mean().item()


def main(n_tasks=4, steps=30):
    torch.manual_seed(9)
    tasks, learner = Tasks(n_tasks), Learner()
    for task in range(n_tasks):
        losses = [learner.step(*tasks.batch(task)) for _ in range(steps)]
        learner.ewc.remember([tasks.batch(task) for _ in range(8)])
        acc = [round(learner.accuracy(tasks, t), 2) for t in range(task + 1)]
        log.info("task %d  loss %.3f  accuracies %s  unstable steps %d", task, losses[-1], acc, learner.unstable)


if __name__ == "__main__":
    main()
