# gradwatch-corpus: kind=none
"""Curvatures and gaps of a three-element photographic lens by ray tracing and L-BFGS.

Every outer iteration draws fresh rays (field and pupil points), so this is the stochastic variant.
"""
import math

import torch
from torch import nn

INDEX = (1.0, 1.62, 1.0, 1.72, 1.0, 1.62, 1.0)


class Triplet(nn.Module):
    """Six spherical surfaces; rays are traced in the meridional plane."""

    def __init__(self):
        super().__init__()
        self.curvature = nn.Parameter(torch.tensor([0.45, 0.02, -0.35, 0.38, 0.05, -0.42]))
        self.raw_gap = nn.Parameter(torch.tensor([-1.5, -0.6, -2.0, -0.6, -1.5, 1.2]))

    @property
    def gaps(self):
        return nn.functional.softplus(self.raw_gap)

    def forward(self, height, angle):
        gaps = self.gaps
        for k in range(6):
            bend = self.curvature[k]
            ratio = INDEX[k] / INDEX[k + 1]
            angle = ratio * angle - (1 - ratio) * torch.sin(bend * height)
            height = height + gaps[k] * torch.sin(angle)
        return height, angle


class Merit:
    """Spot size about the ideal image point, focal length and sensible shapes."""

    def __init__(self, lens, focal=2.0):
        self.lens, self.focal = lens, focal
        self.last_spots = torch.zeros(3)

    def __call__(self, pupil, fields):
        height, _ = self.lens(pupil.expand(len(fields), -1), fields.unsqueeze(1))
        centre = height.mean(dim=1, keepdim=True)
        spread = (height - centre).pow(2).mean(dim=1)
        scale = (centre.squeeze(1) - self.focal * torch.tan(fields)).pow(2)
        self.last_spots = spread.detach().sqrt()
        shape = self.lens.curvature.pow(2).sum() + self.lens.gaps.sum()
        return spread.sum() + scale.sum() + 1e-3 * shape


def rays(gen, n=32):
    pupil = 0.4 * (2 * torch.rand(n, generator=gen) - 1)
    fields = torch.tensor([0.0, 0.7, 1.0]) * math.radians(14) * (0.8 + 0.2 * torch.rand(1, generator=gen))
    return pupil, fields


def make_closure(optimizer, merit, bundle, counter):
    def closure():
        optimizer.zero_grad()
        value = merit(*bundle)
        value.backward()
        counter["evaluations"] += 1
        return value
    return closure


def main(iterations=200):
    torch.manual_seed(15)
    gen = torch.Generator().manual_seed(15)
    lens = Triplet()
    merit = Merit(lens)
    optimizer = torch.optim.LBFGS(lens.parameters(), lr=0.5, max_iter=2, history_size=4,
                                  line_search_fn="strong_wolfe")
    counter = {"evaluations": 0}
    curve = []
    for it in range(iterations):
        closure = make_closure(optimizer, merit, rays(gen), counter)
        curve.append(optimizer.step(closure).item())
        if it % 50 == 49:
            spots = " ".join(f"{s:.4f}" for s in merit.last_spots.tolist())
            print(f"{it + 1:4d}  merit {sum(curve[-20:]) / 20:.5f}  spots {spots}"
                  f"  evaluations {counter['evaluations']}")


if __name__ == "__main__":
    main()
