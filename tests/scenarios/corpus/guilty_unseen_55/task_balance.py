# gradwatch-corpus: kind=graph-chain
# holder: balancer["pose"] | self["pose"] | balancer["label"] | self["label"] | balancer | self
# first-bad: 1
"""Two-task training with losses scaled by their own running level."""
import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class Balancer(dict):
    """task -> running level of its loss"""

    def __init__(self, decay=0.9, floor=0.05):
        super().__init__()
        self.decay = decay
        self.floor = floor

    def __missing__(self, task):
        return torch.ones(())

    def __setitem__(self, task, value):
        level = self.decay * self[task] + (1 - self.decay) * value
        super().__setitem__(task, level.clamp(min=self.floor))  # <- culprit

    def scaled(self, losses):
        for task, value in losses.items():
            self[task] = value  # <- culprit
        return sum(v / self[t] for t, v in losses.items())


class Backbone(nn.Module):
    def __init__(self, d=12, h=24, n_cls=5):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, h), nn.Tanh())
        self.label = nn.Linear(h, n_cls)
        self.pose = nn.Linear(h, 3)

    def forward(self, x):
        z = self.trunk(x)
        return self.label(z), self.pose(z)


class Weights:
    """Functional parameters with plain SGD and a cosine rate."""

    def __init__(self, module, lr, steps):
        self.values = {k: p.detach().clone().requires_grad_() for k, p in module.named_parameters()}
        self.lr, self.steps, self.t = lr, steps, 0

    @property
    def rate(self):
        return self.lr * 0.5 * (1 + math.cos(math.pi * self.t / self.steps))

    def descend(self):
        fresh = {}
        for name, p in self.values.items():
            fresh[name] = (p.detach() - self.rate * p.grad).requires_grad_()
        self.values = fresh
        self.t += 1


def batches(n, size=40, d=12):
    a, b = torch.randn(d, 5), torch.randn(d, 3)
    for _ in range(n):
        x = torch.randn(size, d)
        yield x, (x @ a).argmax(1), 4 * torch.tanh(x @ b)


def main():
    torch.manual_seed(8)
    steps = 75
    net = Backbone()
    weights = Weights(net, lr=0.08, steps=steps)
    balancer = Balancer()
    for i, (x, cls, pose) in enumerate(batches(steps)):
        logits, where = functional_call(net, weights.values, (x,))
        losses = {"label": F.cross_entropy(logits, cls), "pose": F.mse_loss(where, pose)}
        total = balancer.scaled(losses)
        total.backward(retain_graph=True)
        weights.descend()
        if i % 15 == 0:
            shown = {t: round(v.item(), 3) for t, v in losses.items()}
            print(i, shown, "levels", {t: round(v.item(), 3) for t, v in balancer.items()})


if __name__ == "__main__":
    main()
