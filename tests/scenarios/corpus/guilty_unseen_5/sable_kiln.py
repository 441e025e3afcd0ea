# gradwatch-corpus: kind=second-backward
# holder: Glass.index | self.index | m.index | lens.crown.index | lens.flint.index | self.crown.index | self.flint.index
# first-bad: 41
# also: graph-held
"""Design of a cemented doublet: curvatures, thickness and the two glass melts are free.

Rays of one wavelength are traced per iteration; the wavelengths of the visible band are drawn in random
order, each once, before the band is shuffled again.
"""
import random
from dataclasses import dataclass, field
from functools import lru_cache

import torch
from torch import nn


class Glass(nn.Module):
    """One-term Sellmeier glass whose strength and resonance can be tuned in the kiln."""

    def __init__(self, strength, resonance):
        super().__init__()
        self.strength = nn.Parameter(torch.tensor(strength))
        self.resonance = nn.Parameter(torch.tensor(resonance))

    @lru_cache(maxsize=256)  # <- culprit
    def index(self, nm):
        um2 = (nm / 1000.0) ** 2
        return torch.sqrt(1 + self.strength * um2 / (um2 - self.resonance.square()))


class Air:
    @staticmethod
    def index(nm):
        return 1.0


@dataclass
class Rays:
    height: torch.Tensor
    slope: torch.Tensor
    lost: int = 0

    @classmethod
    def bundle(cls, aperture, tilt, many=64):
        h = torch.linspace(-aperture, aperture, many)
        return cls(h, torch.full_like(h, tilt))


class Surface(nn.Module):
    def __init__(self, curvature, depth, before, after):
        super().__init__()
        self.curvature = nn.Parameter(torch.tensor(curvature))
        self.depth = nn.Parameter(torch.tensor(depth))
        self.media = (before, after)

    def forward(self, rays, nm):
        n1, n2 = (m.index(nm) for m in self.media)
        tilt = torch.asin((self.curvature * rays.height).clamp(-0.95, 0.95))
        bent = torch.asin(((n1 / n2) * torch.sin(rays.slope + tilt)).clamp(-0.95, 0.95)) - tilt
        return Rays(rays.height + self.depth * torch.tan(bent), bent)


class Doublet(nn.Module):
    def __init__(self):
        super().__init__()
        self.crown, self.flint = Glass(1.28, 0.095), Glass(1.56, 0.118)
        air = Air()
        self.stack = nn.ModuleList([
            Surface(0.012, 6.0, air, self.crown),
            Surface(-0.014, 3.0, self.crown, self.flint),
            Surface(-0.003, 0.0, self.flint, air)])

    def trace(self, rays, nm):
        for surface in self.stack:
            rays = surface(rays, nm)
        return rays

    def blur(self, nm, tilt, focus=95.0):
        out = self.trace(Rays.bundle(10.0, tilt), nm)
        at = out.height + focus * torch.tan(out.slope)
        return at.var() + 0.01 * (at.mean() - focus * tilt).square()


@dataclass
class Merit:
    lens: Doublet
    tilts: tuple = (0.0, 0.01, 0.02)
    history: list = field(default_factory=list)

    def bounds(self):
        for s in self.lens.stack[:2]:
            yield torch.relu(1.5 - s.depth).square()
            yield torch.relu(s.depth - 9.0).square()

    def __call__(self, nm):
        spots = torch.stack([self.lens.blur(nm, t) for t in self.tilts])
        value = spots.mean() + sum(self.bounds())
        self.history.append((nm, value.item()))
        return value


def band(seed, low=440, high=640, pitch=5):
    rng, lines = random.Random(seed), list(range(low, high + 1, pitch))
    while True:
        rng.shuffle(lines)
        yield from lines


def design(iterations=300, seed=6):
    torch.manual_seed(seed)
    lens = Doublet()
    merit = Merit(lens)
    curves = [s.curvature for s in lens.stack]
    rest = [p for p in lens.parameters() if not any(p is c for c in curves)]
    opt = torch.optim.Adam([{"params": curves, "lr": 5e-5}, {"params": rest, "lr": 1e-3}])
    for n, nm in zip(range(iterations), band(seed)):
        opt.zero_grad()
        merit(nm).backward()
        opt.step()
        if n % 20 == 0:
            print(f"{n:3d}  {nm} nm  merit {merit.history[-1][1]:.4f}")
    return lens


if __name__ == "__main__":
    print(design())
