# gradwatch-corpus: kind=graph-chain
# holder: model.center | self.center | model._center | self._center | model.__dict__ | model.__dict__['_center'] | obj.__dict__[self.slot]
# first-bad: 1
# notice: 5
"""One-class detector for turbine vibration spectra: pull embeddings towards a moving centre."""
import math

import torch
from torch import nn


class Smoothed:
    """Attribute that blends every assignment into what was there before."""

    def __init__(self, momentum):
        self.momentum = momentum

    def __set_name__(self, owner, name):
        self.slot = "_" + name

    def __get__(self, obj, owner=None):
        if obj is None:
            return self
        try:
            return obj.__dict__[self.slot]
        except KeyError:
            raise AttributeError(self.slot[1:]) from None

    def __set__(self, obj, value):
        held = obj.__dict__.get(self.slot)
        if held is not None:
            value = torch.lerp(held, value, 1 - self.momentum)  # <- culprit
        obj.__dict__[self.slot] = value  # <- culprit


class SpectrumSVDD(nn.Module):
    center = Smoothed(momentum=0.95)
    radius = Smoothed(momentum=0.99)

    def __init__(self, bins=48, dim=10):
        super().__init__()
        self.proj = nn.Linear(bins, dim)
        self.radius = torch.tensor(1.0)

    def forward(self, spectra):
        z = torch.tanh(self.proj(spectra))
        if self.training:
            self.center = z.mean(0)  # <- culprit
        return (z - self.center).pow(2).sum(-1)


def spectra_batch(gen, n=24, bins=48):
    f = torch.arange(bins) / bins
    shift = torch.rand(n, 1, generator=gen) * 0.05
    base = torch.exp(-((f - 0.3 - shift) ** 2) / 0.002) + 0.5 * torch.exp(-((f - 0.62 + shift) ** 2) / 0.004)
    return base + 0.1 * torch.randn(n, bins, generator=gen)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(3)
    gen = torch.Generator().manual_seed(4)
    model = SpectrumSVDD()
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    for it in range(260):
        batch = spectra_batch(gen)
        dist = model(batch)
        spread = -0.1 * torch.log(model.proj.weight.pow(2).sum() + 1e-6)
        loss = dist.mean() + spread
        opt.zero_grad()
        # centre and spread share the projection, keep buffers for both terms
        loss.backward(retain_graph=True)
        opt.step()
        with torch.no_grad():
            model.radius = dist.quantile(0.95).sqrt()
        if it % 50 == 0:
            print(f"{it:4d} loss {loss.item():.4f} radius {float(model.radius):.3f}")
    model.eval()
    with torch.no_grad():
        odd = model(torch.randn(16, 48, generator=gen)).sqrt()
    flagged = int((odd > model.radius).sum())
    print(f"flagged {flagged}/16, sqrt(dim)={math.sqrt(10):.2f}")


if __name__ == "__main__":
    main()
