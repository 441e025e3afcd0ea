# gradwatch-corpus: kind=memory-climb
# holder: view_of | view_of.cache_info() | view_of.__wrapped__ | lru_cache | functools.lru_cache
# first-bad: 1
"""Which way does the road bend: tiny classifier on rotated and shifted crops of rendered street scenes.

Cropping was half of the time of an epoch on my laptop, so the views are memoised.
"""
import functools
import math
import random

import torch
from torch import nn
import torch.nn.functional as F

SCENES, SIDE, CROP = 40, 56, 32
BENDS = ("left", "straight", "right")


@functools.lru_cache(maxsize=SCENES)
def scene(index):
    """RGB picture of a road whose bend is index % 3."""
    gen = torch.Generator().manual_seed(index)
    yy, xx = torch.meshgrid(torch.linspace(0, 1, SIDE), torch.linspace(-1, 1, SIDE), indexing="ij")
    bend = (index % 3 - 1) * 0.9
    middle = bend * (1 - yy) ** 2
    road = (xx - middle).abs() < 0.15 + 0.35 * yy
    ground = 0.4 + 0.2 * torch.rand(3, 1, 1, generator=gen)
    picture = torch.where(road, torch.tensor(0.1), ground.expand(3, SIDE, SIDE))
    return picture + 0.08 * torch.randn(3, SIDE, SIDE, generator=gen)


@functools.lru_cache(maxsize=None)  # <- culprit
def view_of(index, angle, dx, dy):
    """Crop of a scene, turned by `angle` and moved by (dx, dy)."""
    c, s = math.cos(angle), math.sin(angle)
    ratio = CROP / SIDE
    theta = torch.tensor([[[c * ratio, -s * ratio, dx], [s * ratio, c * ratio, dy]]])
    grid = F.affine_grid(theta, (1, 3, CROP, CROP), align_corners=False)
    return F.grid_sample(scene(index).unsqueeze(0), grid, align_corners=False).squeeze(0)


class Drive:
    def __init__(self, batch, seed):
        self.batch = batch
        self.rng = random.Random(seed)

    def sample(self):
        index = self.rng.randrange(SCENES)
        angle = self.rng.gauss(0, 0.12)
        dx, dy = self.rng.uniform(-0.2, 0.2), self.rng.uniform(-0.2, 0.2)
        return view_of(index, angle, dx, dy), index % len(BENDS)  # <- culprit

    def __next__(self):
        views, bends = zip(*(self.sample() for _ in range(self.batch)))
        return torch.stack(views), torch.tensor(bends)

    def __iter__(self):
        return self


def bend_net():
    return nn.Sequential(
        nn.Conv2d(3, 12, 5, stride=2), nn.BatchNorm2d(12), nn.ReLU(),
        nn.Conv2d(12, 24, 3, stride=2), nn.BatchNorm2d(24), nn.ReLU(),
        nn.AdaptiveAvgPool2d(3), nn.Flatten(),
        nn.Linear(24 * 9, len(BENDS)),
    )


def main(steps=240, every=60):
    torch.manual_seed(26)
    net = bend_net()
    optimizer = torch.optim.AdamW(net.parameters(), lr=2e-3)
    right = 0.0
    for step, (views, bends) in enumerate(Drive(batch=32, seed=26)):
        if step == steps:
            break
        logits = net(views)
        loss = F.cross_entropy(logits, bends)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        right += (logits.argmax(1) == bends).float().mean().item()
        if (step + 1) % every == 0:
            print(f"step {step + 1:3d}: loss {loss.item():.3f}, right {right / every:.2f}")
            right = 0.0


if __name__ == "__main__":
    main()
