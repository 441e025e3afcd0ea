# gradwatch-corpus: kind=graph-held
# holder: self.skipped | trainer.skipped
# first-bad: 3
# notice: 10
# also: graph-unused
# after: forum "try/except around the batch, OOM/ValueError skipped, but memory of skipped batches is never freed (exception keeps traceback)"
"""Lesion segmentation on 3-d patches. Patches without any lesion break the surface loss and are skipped."""
from __future__ import annotations

import dataclasses
import sys
from typing import Callable

import torch
import torch.nn as nn


class DegenerateMask(ValueError):
    pass


@dataclasses.dataclass
class TrainArgs:
    patch: int = 12
    batch_size: int = 4
    n_batches: int = 36
    epochs: int = 3
    lr: float = 2e-3
    width: int = 8
    surface_weight: float = 0.3


LOSSES: dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {}


def register(name: str):
    def deco(fn):
        LOSSES[name] = fn
        return fn
    return deco


@register("dice")
def soft_dice(prob, mask):
    dims = (1, 2, 3, 4)
    inter = (prob * mask).sum(dims)
    return 1 - ((2 * inter + 1) / (prob.sum(dims) + mask.sum(dims) + 1)).mean()


@register("surface")
def surface(prob, mask):
    """Squared difference of the radii of gyration, undefined for empty masks."""
    mass = mask.sum((1, 2, 3, 4))
    if (mass == 0).any():
        raise DegenerateMask(f"{int((mass == 0).sum())} empty masks in the batch")
    r = torch.linspace(-1, 1, mask.shape[-1])
    r2 = r.view(-1, 1, 1) ** 2 + r.view(1, -1, 1) ** 2 + r.view(1, 1, -1) ** 2
    rg_mask = (mask * r2).sum((1, 2, 3, 4)) / mass
    rg_prob = (prob * r2).sum((1, 2, 3, 4)) / prob.sum((1, 2, 3, 4)).clamp(min=1e-3)
    return ((rg_mask - rg_prob) ** 2).mean()


class Net3d(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv3d(1, w, 3, padding=1), nn.InstanceNorm3d(w), nn.LeakyReLU())
        self.mid = nn.Sequential(nn.Conv3d(w, w, 3, padding=1), nn.InstanceNorm3d(w), nn.LeakyReLU())
        self.out = nn.Conv3d(w, 1, 1)

    def forward(self, x):
        h = self.enc(x)
        return self.out(h + self.mid(h))


def patches(args: TrainArgs, seed: int):
    g = torch.Generator().manual_seed(seed)
    n, s = args.batch_size, args.patch
    grid = torch.stack(torch.meshgrid(*[torch.arange(s).float()] * 3, indexing="ij"))
    for i in range(args.n_batches):
        centre = s * (0.3 + 0.4 * torch.rand(n, 3, generator=g))
        radius = 1.5 + 2 * torch.rand(n, generator=g)
        mask = (((grid[None] - centre.view(n, 3, 1, 1, 1)) ** 2).sum(1, keepdim=True).sqrt()
                < radius.view(n, 1, 1, 1, 1)).float()
        if i % 3 == 2:  # one in three patches batches of this cohort has a healthy scan in it
            mask[0] = 0
        yield mask + 0.5 * torch.randn(mask.shape, generator=g), mask


class Trainer:
    def __init__(self, args: TrainArgs):
        self.args = args
        self.net = Net3d(args.width)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=args.lr)
        self.skipped: list[tuple[int, int, Exception]] = []

    def training_loss(self, volume, mask):
        prob = torch.sigmoid(self.net(volume))
        return LOSSES["dice"](prob, mask) + self.args.surface_weight * LOSSES["surface"](prob, mask)

    def run_epoch(self, epoch: int) -> float:
        losses = []
        for i, (volume, mask) in enumerate(patches(self.args, seed=epoch)):
            try:
                loss = self.training_loss(volume, mask)
            except DegenerateMask as err:
                self.skipped.append((epoch, i, err))  # <- culprit
                continue
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    def fit(self) -> None:
        for epoch in range(self.args.epochs):
            print(f"epoch {epoch} loss {self.run_epoch(epoch):.4f} skipped so far {len(self.skipped)}")
        for epoch, i, err in self.skipped[:3]:
            print(f"  skipped {epoch}/{i}: {err}", file=sys.stderr)


if __name__ == "__main__":
    torch.manual_seed(0)
    trainer = Trainer(TrainArgs())
    trainer.fit()
