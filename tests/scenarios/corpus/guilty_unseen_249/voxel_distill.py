# gradwatch-corpus: kind=graph-held
# holder: self.captured | tap.captured | self.tap.captured | engine.tap.captured | self.captured[name] | tap.captured[name] | engine.tap.captured["mid"]
# first-bad: 1
"""Voxel occupancy student distilled from a wider teacher on hidden activations."""
from collections import defaultdict
from dataclasses import dataclass
from typing import Sequence

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class VoxelSpec:
    side: int = 8
    batch: int = 6
    student: int = 6
    teacher: int = 16
    steps: int = 90
    lr: float = 5e-3
    alpha: float = 0.3


class VoxelNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.enc = nn.Conv3d(1, width, 3, padding=1)
        self.mid = nn.Conv3d(width, width, 3, padding=1)
        self.out = nn.Conv3d(width, 1, 1)

    def forward(self, grid):
        h = F.relu(self.enc(grid))
        h = F.relu(self.mid(h))
        return self.out(h)


class ActivationTap:
    """Observes the outputs of named submodules."""

    def __init__(self, module: nn.Module, names: Sequence[str]):
        self.captured = defaultdict(list)
        for name in names:
            module.get_submodule(name).register_forward_hook(self._make(name))

    def _make(self, name):
        def observe(_module, _inputs, output):
            self.captured[name].append(output.mean(dim=(2, 3, 4)))  # <- culprit
        return observe

    def latest(self, name):
        return self.captured[name][-1]

    def sparsity(self, name):
        means = torch.stack([a.detach() for a in self.captured[name]])
        return (means < 0).float().mean().item()


class BlobDataset:
    def __init__(self, spec):
        self.spec = spec
        self.gen = torch.Generator().manual_seed(55)
        axis = torch.arange(spec.side).float()
        self.mesh = torch.stack(torch.meshgrid(axis, axis, axis, indexing="ij"))

    def batch(self):
        shape = (self.spec.batch, 3, 1, 1, 1)
        center = torch.rand(shape, generator=self.gen) * self.spec.side
        distance = (self.mesh - center).square().sum(1, keepdim=True)
        solid = (distance < 9.0).float()
        drop = torch.rand(solid.shape, generator=self.gen) < 0.7
        return solid * drop, solid


class DistillEngine:
    def __init__(self, spec):
        self.spec = spec
        self.teacher = VoxelNet(spec.teacher).requires_grad_(False)
        self.student = VoxelNet(spec.student)
        self.adapter = nn.Linear(spec.student, spec.teacher)
        self.tap = ActivationTap(self.student, ["mid"])
        params = [*self.student.parameters(), *self.adapter.parameters()]
        self.optimizer = torch.optim.Adam(params, lr=spec.lr)
        self.data = BlobDataset(spec)

    def teacher_features(self, grid):
        with torch.no_grad():
            h = F.relu(self.teacher.enc(grid))
            return self.teacher.mid(h).mean(dim=(2, 3, 4))

    def step(self):
        grid, solid = self.data.batch()
        logits = self.student(grid)
        task = F.binary_cross_entropy_with_logits(logits, solid)
        hint = F.mse_loss(self.adapter(self.tap.latest("mid")), self.teacher_features(grid))
        loss = task + self.spec.alpha * hint
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return task.item(), hint.item()


def main():
    torch.manual_seed(13)
    engine = DistillEngine(VoxelSpec())
    for step in range(engine.spec.steps):
        task, hint = engine.step()
        if step % 18 == 0:
            print(f"step {step:3d} occupancy {task:.4f} hint {hint:.4f}")
    print(f"negative share in mid: {engine.tap.sparsity('mid'):.3f}")


if __name__ == "__main__":
    main()
