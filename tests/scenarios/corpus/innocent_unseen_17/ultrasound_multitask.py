# gradwatch-corpus: kind=none
"""Fetal head ultrasound: outline and circumference from one trunk, with projected gradients where the two tasks
pull against each other (Yu et al. 2020)."""
import math

import torch
import torch.nn.functional as F
from torch import nn

SIZE = 24


class Task(nn.Module):
    """A head with a loss of its own."""

    def __init__(self, name, weight=1.0):
        super().__init__()
        self.name, self.weight = name, weight
        self.last_loss = None

    def criterion(self, output, target):
        raise NotImplementedError

    def forward(self, features, target):
        self.last_loss = self.weight * self.criterion(self.head(features), target)
        return self.last_loss


class DenseTask(Task):
    def __init__(self, name, width, **kw):
        super().__init__(name, **kw)
        self.head = nn.Conv2d(width, 1, 1)


class OutlineTask(DenseTask):
    def criterion(self, output, target):
        return F.binary_cross_entropy_with_logits(output.squeeze(1), target["mask"])


class PooledTask(Task):
    def __init__(self, name, width, **kw):
        super().__init__(name, **kw)
        self.head = nn.Sequential(nn.AdaptiveAvgPool2d(3), nn.Flatten(), nn.Linear(9 * width, 1))


class CircumferenceTask(PooledTask):
    def criterion(self, output, target):
        return F.smooth_l1_loss(output.squeeze(1), target["length"])


class ProjectedGradients:
    def __init__(self, trunk, tasks, lr):
        self.shared = list(trunk.parameters())
        self.tasks = tasks
        everything = self.shared + [p for t in tasks for p in t.parameters()]
        self.optimizer = torch.optim.Adam(everything, lr=lr)
        self.conflicts = 0

    def gradients(self, losses):
        """One flat vector per task for the trunk; the heads get theirs at once."""
        rows = []
        for k, (task, loss) in enumerate(zip(self.tasks, losses)):
            own = list(task.parameters())
            more_to_come = k < len(losses) - 1
            grads = torch.autograd.grad(loss, self.shared + own, retain_graph=more_to_come)
            for p, g in zip(own, grads[len(self.shared):]):
                p.grad = g
            rows.append(torch.cat([g.flatten() for g in grads[: len(self.shared)]]))
        return rows

    def project(self, rows):
        out = []
        for i, g in enumerate(rows):
            g = g.clone()
            for j, other in enumerate(rows):
                dot = torch.dot(g, other)
                if i != j and dot < 0:
                    g -= dot / other.pow(2).sum() * other
                    self.conflicts += 1
            out.append(g)
        return sum(out)

    def step(self, losses):
        combined = self.project(self.gradients(losses))
        sizes = [p.numel() for p in self.shared]
        for p, piece in zip(self.shared, combined.split(sizes)):
            p.grad = piece.view_as(p)
        self.optimizer.step()


class Phantoms:
    def __init__(self, seed):
        self.rng = torch.Generator().manual_seed(seed)
        axis = torch.linspace(-1, 1, SIZE)
        self.yy, self.xx = torch.meshgrid(axis, axis, indexing="ij")

    def batch(self, n=6):
        u = torch.rand(5, n, 1, 1, generator=self.rng)
        a, b = 0.4 + 0.4 * u[0], 0.3 + 0.3 * u[1]
        cx, cy, turn = 0.3 * (u[2] - 0.5), 0.3 * (u[3] - 0.5), math.pi * u[4]
        x = (self.xx - cx) * turn.cos() + (self.yy - cy) * turn.sin()
        y = -(self.xx - cx) * turn.sin() + (self.yy - cy) * turn.cos()
        radius = ((x / a) ** 2 + (y / b) ** 2).sqrt()
        echo = torch.exp(-((radius - 1) / 0.15) ** 2)
        speckle = 0.5 + torch.rand(n, SIZE, SIZE, generator=self.rng)
        length = (math.pi * (3 * (a + b) - ((3 * a + b) * (a + 3 * b)).sqrt())).flatten()
        return (echo * speckle).unsqueeze(1), {"mask": (radius < 1).float(), "length": length}


def main(steps=260):
    torch.manual_seed(2)
    width = 10
    trunk = nn.Sequential(
        nn.Conv2d(1, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, width, 3, padding=2, dilation=2), nn.ReLU()
    )
    tasks = nn.ModuleList([OutlineTask("outline", width), CircumferenceTask("length", width, weight=0.5)])
    method = ProjectedGradients(trunk, tasks, lr=3e-3)
    phantoms = Phantoms(seed=8)
    for step in range(steps):
        image, target = phantoms.batch()
        features = trunk(image)
        losses = [task(features, target) for task in tasks]
        method.step(losses)
        if step % 65 == 64:
            parts = "  ".join(f"{t.name} {t.last_loss.item():.4f}" for t in tasks)
            print(f"step {step + 1:4d}  {parts}  conflicts {method.conflicts}")


if __name__ == "__main__":
    main()
