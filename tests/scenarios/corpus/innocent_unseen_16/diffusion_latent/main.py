# gradwatch-corpus: kind=none
"""Latent diffusion on 2-D spirals with importance-sampled time steps and an averaged copy of the network.

Contexts switch the weights for previews and put the real ones back.
"""
import contextlib
import math

import torch
from torch import nn

from averaging import Averaged
from timesteps import ImportanceTimesteps

LEVELS = 64


class Mlp(nn.Module):
    def __init__(self, dim=64):
        super().__init__()
        self.time = nn.Embedding(LEVELS, dim)
        self.a = nn.Linear(2, dim)
        self.b = nn.Linear(dim, dim)
        self.c = nn.Linear(dim, 2)

    def forward(self, x, t):
        h = torch.nn.functional.silu(self.a(x) + self.time(t))
        return self.c(torch.nn.functional.silu(self.b(h)) + h)


class Spiral:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self, n):
        u = torch.rand(n, generator=self.gen).sqrt()
        angle = 3 * math.pi * u
        xy = torch.stack([u * angle.cos(), u * angle.sin()], 1)
        return 2 * xy + 0.02 * torch.randn(n, 2, generator=self.gen)


class Ring:
    """The last `size` previews in one preallocated tensor."""

    def __init__(self, size, points):
        self.data = torch.zeros(size, points, 2)
        self.at = 0

    def put(self, sample):
        self.data[self.at % len(self.data)].copy_(sample)
        self.at += 1

    def spread(self):
        return float(self.data[:min(self.at, len(self.data))].std())


ALPHA_BAR = torch.cumprod(1 - torch.linspace(1e-3, 0.12, LEVELS), dim=0)


@contextlib.contextmanager
def averaged_weights(net, average):
    average.swap(net)
    try:
        with torch.no_grad():
            yield net
    finally:
        average.swap(net)


def preview(net, gen, points=32):
    x = torch.randn(points, 2, generator=gen)
    for k in reversed(range(0, LEVELS, 4)):
        t = torch.full((points,), k)
        a = ALPHA_BAR[k]
        eps = net(x, t)
        x0 = ((x - (1 - a).sqrt() * eps) / a.sqrt()).clamp(-3, 3)
        prev = ALPHA_BAR[k - 4] if k >= 4 else torch.tensor(1.0)
        x = prev.sqrt() * x0 + (1 - prev).sqrt() * eps
    return x


def main(iterations=400, batch=128):
    torch.manual_seed(44)
    torch.set_num_threads(1)
    net, data = Mlp(), Spiral(seed=6)
    average = Averaged(net, keep=0.99)
    sampler = ImportanceTimesteps(LEVELS, seed=2)
    optim = torch.optim.Adam(net.parameters(), lr=2e-3)
    ring, gen = Ring(4, 32), torch.Generator().manual_seed(1)
    smooth = 1.0
    for it in range(iterations):
        x0 = data.draw(batch)
        t, weight = sampler.draw(batch)
        eps = torch.randn(batch, 2)
        a = ALPHA_BAR[t].unsqueeze(1)
        losses = (net(a.sqrt() * x0 + (1 - a).sqrt() * eps, t) - eps).pow(2).mean(1)
        loss = (weight * losses).mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
        sampler.record(t, losses)
        average.update(net)
        smooth = 0.98 * smooth + 0.02 * loss.item()
        if (it + 1) % 50 == 0:
            with averaged_weights(net, average):
                ring.put(preview(net, gen))
        if (it + 1) % 100 == 0:
            print(f"it {it + 1}: loss {smooth:.4f}, spread of previews {ring.spread():.3f}")


if __name__ == "__main__":
    main()
