# gradwatch-corpus: kind=none
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class SurgeryConfig:
    lr: float = 2e-3
    steps: int = 400
    dim: int = 12
    seed: int = 19


class Task:
    def __init__(self, width):
        self.head = nn.Linear(width, 1)

    def loss(self, features, batch):
        raise NotImplementedError


class Regression(Task):
    def loss(self, features, batch):
        return F.mse_loss(self.head(features).squeeze(1), batch["value"])


class Detection(Task):
    def loss(self, features, batch):
        return F.binary_cross_entropy_with_logits(self.head(features).squeeze(1), batch["flag"])


class GradientSurgeon:
    """Projects conflicting task gradients on the shared trunk."""

    def __init__(self, shared):
        self.shared = list(shared)
        self.conflicts = []

    def gradients(self, losses):
        last = len(losses) - 1
        for i, loss in enumerate(losses):
            for p in self.shared:
                p.grad = None
            loss.backward(retain_graph=i < last)
            yield [p.grad.clone() for p in self.shared]

    def __call__(self, losses):
        first, second = self.gradients(losses)
        dot = sum((a * b).sum() for a, b in zip(first, second))
        norm = sum(b.pow(2).sum() for b in second)
        self.conflicts.append(dot.item() < 0)
        scale = torch.clamp(dot / norm, max=0.0)
        for p, a, b in zip(self.shared, first, second):
            p.grad = a - scale * b + b


class MultiTask:
    def __init__(self, config):
        torch.manual_seed(config.seed)
        self.config = config
        self.trunk = nn.Sequential(nn.Linear(config.dim, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh())
        self.tasks = [Regression(24), Detection(24)]
        self.surgeon = GradientSurgeon(self.trunk.parameters())
        params = list(self.trunk.parameters())
        for task in self.tasks:
            params += task.head.parameters()
        self.opt = torch.optim.Adam(params, lr=config.lr)

    def batches(self):
        gen = torch.Generator().manual_seed(self.config.seed + 1)
        for _ in range(self.config.steps):
            x = torch.randn(32, self.config.dim, generator=gen)
            value = x[:, 0] * x[:, 1] + x[:, 2]
            yield {"x": x, "value": value, "flag": (x[:, 3] > x[:, 0]).float()}

    def step(self, batch):
        features = self.trunk(batch["x"])
        losses = [task.loss(features, batch) for task in self.tasks]
        self.opt.zero_grad()
        self.surgeon(losses)
        self.opt.step()
        return [l.item() for l in losses]

    def train(self):
        return [self.step(b) for b in self.batches()]


if __name__ == "__main__":
    job = MultiTask(SurgeryConfig())
    curve = job.train()
    print(curve[0], curve[-1], sum(job.surgeon.conflicts))
