# gradwatch-corpus: kind=graph-held
# holder: self.trend | gauge.trend | retrieval.gauge.trend | self.gauge.trend
# first-bad: 1
"""Retrieving soil moisture profiles from L-band brightness temperatures."""
import argparse

import torch
from torch import nn


class Fresnel(torch.autograd.Function):
    """Smooth-surface emissivity at nadir, e = 4 n / (1 + n)^2."""

    @staticmethod
    def forward(ctx, n):
        ctx.save_for_backward(n)
        return 4 * n / (1 + n).square()

    @staticmethod
    def backward(ctx, grad):
        (n,) = ctx.saved_tensors
        return grad * 4 * (1 - n) / (1 + n).pow(3)


class EmissionModel:
    def __init__(self, n_layers):
        depth = torch.linspace(0.0, 0.5, n_layers)
        weight = torch.exp(-depth / 0.08)
        self.weight = weight / weight.sum()

    def brightness(self, moisture, temperature):
        effective = moisture @ self.weight
        permittivity = 3.0 + 40.0 * effective + 60.0 * effective.square()
        emissivity = Fresnel.apply(permittivity.sqrt())
        return emissivity * temperature


class ProfileNet(nn.Module):
    def __init__(self, n_layers, width=56):
        super().__init__()
        self.inp = nn.Linear(4, width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, n_layers)

    def forward(self, features):
        h = torch.nn.functional.gelu(self.inp(features))
        h = torch.nn.functional.gelu(self.mid(h))
        return 0.5 * torch.sigmoid(self.out(h))


class TrendGauge:
    """Exponentially weighted mean with bias correction, as shown on the status page."""

    def __init__(self, decay):
        self.decay = decay
        self.trend = 0.0
        self.n = 0

    def push(self, value):
        self.n += 1
        self.trend = self.decay * self.trend + (1 - self.decay) * value  # <- culprit

    def reading(self):
        return float(self.trend) / (1 - self.decay ** self.n)


class Retrieval:
    def __init__(self, n_layers, lr):
        self.net = ProfileNet(n_layers)
        self.emission = EmissionModel(n_layers)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.gauge = TrendGauge(decay=0.95)

    def synthesise(self, n):
        surface = 0.05 + 0.35 * torch.rand(n, 1)
        slope = 0.1 * torch.randn(n, 1)
        depth = torch.linspace(0, 1, len(self.emission.weight))
        truth = (surface + slope * depth).clamp(0.02, 0.48)
        temperature = 285 + 8 * torch.randn(n)
        observed = self.emission.brightness(truth, temperature) + 1.0 * torch.randn(n)
        ndvi = torch.rand(n)
        rain = (surface.squeeze(1) + 0.05 * torch.randn(n)).clamp(min=0)
        features = torch.stack([observed / 100 - 1.8, temperature / 10 - 28.5, ndvi, rain], dim=1)
        return features, observed, temperature

    def step(self, n):
        features, observed, temperature = self.synthesise(n)
        profile = self.net(features)
        simulated = self.emission.brightness(profile, temperature)
        misfit = ((simulated - observed) / 10).square().mean()
        smoothness = (profile[:, 1:] - profile[:, :-1]).square().mean()
        loss = misfit + 5.0 * smoothness
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.gauge.push(misfit)  # <- culprit


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--layers", type=int, default=12)
    parser.add_argument("--pixels", type=int, default=512)
    parser.add_argument("--steps", type=int, default=140)
    parser.add_argument("--lr", type=float, default=2e-3)
    args = parser.parse_args()
    torch.manual_seed(31)
    retrieval = Retrieval(args.layers, args.lr)
    for number in range(1, args.steps + 1):
        retrieval.step(args.pixels)
        if number % 20 == 0:
            print(f"step {number:3d}: misfit trend {retrieval.gauge.reading():.4f}")


if __name__ == "__main__":
    main()
