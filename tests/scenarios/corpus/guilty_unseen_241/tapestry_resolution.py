# gradwatch-corpus: kind=second-backward
# holder: self._bases | self.bank._bases | self.field.bank._bases | restorer.field.bank._bases
# first-bad: 3
"""Neural dye-fading field of a tapestry, sampled on grids of several resolutions."""
import itertools
import math

import torch
from torch import nn


class WarpWeftBank(nn.Module):
    """Learned anisotropic sinusoids, evaluated on a square grid of a given side."""

    def __init__(self, n_waves=24):
        super().__init__()
        self.wave = nn.Parameter(3.0 * torch.randn(n_waves, 2))
        self.shift = nn.Parameter(torch.rand(n_waves) * 2 * math.pi)
        self._bases = {}

    @staticmethod
    def grid(side):
        axis = torch.linspace(-1, 1, side)
        return torch.cartesian_prod(axis, axis)

    def evaluate(self, side):
        return torch.sin(self.grid(side) @ self.wave.T + self.shift)

    def at(self, side):
        if side not in self._bases:
            self._bases[side] = self.evaluate(side)  # <- culprit
        return self._bases[side]  # <- culprit


class DyeField(nn.Module):
    def __init__(self, dyes=3):
        super().__init__()
        self.bank = WarpWeftBank()
        self.blend = nn.Sequential(nn.Linear(24, 32), nn.GELU(), nn.Linear(32, dyes))

    def forward(self, side):
        return torch.sigmoid(self.blend(self.bank.at(side)))


class FadingTarget:
    def __init__(self, seed=3):
        rng = torch.Generator().manual_seed(seed)
        self.spots = torch.rand(6, 2, generator=rng) * 2 - 1
        self.tints = torch.rand(6, 3, generator=rng)

    def photograph(self, side):
        xy = WarpWeftBank.grid(side)
        near = torch.softmax(-8 * torch.cdist(xy, self.spots).pow(2), dim=1)
        return near @ self.tints


class Restorer:
    sides = (12, 20, 28)

    def __init__(self, seed=3):
        torch.manual_seed(seed)
        self.field = DyeField()
        self.target = FadingTarget(seed)
        bank, blend = self.field.bank, self.field.blend
        self.optimizers = {
            "bank": torch.optim.Adam(bank.parameters(), lr=5e-3),
            "blend": torch.optim.AdamW(blend.parameters(), lr=2e-3),
        }

    def passes(self, n):
        yield from itertools.islice(itertools.cycle(self.sides), n)

    def smoothness(self, image, side):
        cloth = image.view(side, side, -1)
        return cloth.diff(dim=0).abs().mean() + cloth.diff(dim=1).abs().mean()

    def step(self, side):
        image = self.field(side)
        photo = self.target.photograph(side)
        loss = nn.functional.mse_loss(image, photo) + 1e-3 * self.smoothness(image, side)
        for opt in self.optimizers.values():
            opt.zero_grad()
        loss.backward()
        for opt in self.optimizers.values():
            opt.step()
        return loss.item()


if __name__ == "__main__":
    restorer = Restorer()
    for i, side in enumerate(restorer.passes(120)):
        loss = restorer.step(side)
        if i % 12 == 0:
            print(f"pass {i:3d} side {side:2d} loss {loss:.5f}")
