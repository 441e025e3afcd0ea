# gradwatch-corpus: kind=second-backward
# holder: self._cache | layer._cache | weight | logdet | flow.layers[0]._cache | flow.layers[2]._cache | flow.layers[4]._cache | self.layers[0]._cache | self.layers[2]._cache | self.layers[4]._cache | layers[4]._cache | layers[2]._cache | layers[0]._cache
# first-bad: 1
# notice: 0
"""Density estimation on a ring mixture: LU-linear layers between affine couplings."""
import argparse
import math
from typing import List, Tuple

import torch
import torch.nn as nn


class Transform(nn.Module):
    def forward(self, x) -> Tuple[torch.Tensor, torch.Tensor]:
        raise NotImplementedError


class CachedMatrix(Transform):
    """Base of linear transforms whose matrix is dear to build."""

    def __init__(self):
        super().__init__()
        self._cache = None

    def build(self):
        raise NotImplementedError

    def matrix(self):
        if self._cache is None:
            self._cache = self.build()  # <- culprit
        return self._cache

    def train(self, mode=True):
        self._cache = None
        return super().train(mode)

    def forward(self, x):
        weight, logdet = self.matrix()
        return x @ weight.t(), logdet.expand(x.shape[0])


class LULinear(CachedMatrix):
    def __init__(self, dim):
        super().__init__()
        self.lower = nn.Parameter(0.05 * torch.randn(dim, dim))
        self.upper = nn.Parameter(0.05 * torch.randn(dim, dim))
        self.log_diag = nn.Parameter(torch.zeros(dim))

    def build(self):
        eye = torch.eye(len(self.log_diag))
        L = torch.tril(self.lower, -1) + eye
        U = torch.triu(self.upper, 1) + torch.diag(self.log_diag.exp())
        return L @ U, self.log_diag.sum()


class Coupling(Transform):
    def __init__(self, dim, hidden):
        super().__init__()
        self.half = dim // 2
        self.net = nn.Sequential(nn.Linear(self.half, hidden), nn.ReLU(), nn.Linear(hidden, 2 * (dim - self.half)))

    def forward(self, x):
        a, b = x[:, :self.half], x[:, self.half:]
        shift, s = self.net(a).chunk(2, 1)
        s = torch.tanh(s)
        return torch.cat([a, b * s.exp() + shift], 1), s.sum(1)


class Flow(nn.Module):
    def __init__(self, layers: List[Transform]):
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def log_prob(self, x):
        total = x.new_zeros(x.shape[0])
        for layer in self.layers:
            x, ld = layer(x)
            total = total + ld
        base = -0.5 * (x ** 2).sum(1) - 0.5 * x.shape[1] * math.log(2 * math.pi)
        return base + total


def rings(n, gen):
    r = 1.0 + torch.randint(0, 2, (n,), generator=gen)
    phi = torch.rand(n, 2, generator=gen) * 2 * math.pi
    pts = torch.stack([r * phi[:, 0].cos(), r * phi[:, 0].sin(), phi[:, 1].cos(), phi[:, 1].sin()], 1)
    return pts + 0.1 * torch.randn(n, 4, generator=gen)


def validate(flow, data):
    flow.eval()
    with torch.no_grad():
        score = -flow.log_prob(data).mean().item()
    flow.train()
    return score


def main(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--iters", type=int, default=120)
    p.add_argument("--blocks", type=int, default=3)
    p.add_argument("--val-every", type=int, default=30)
    opts = p.parse_args(argv)

    torch.set_num_threads(1)
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    layers = []
    for _ in range(opts.blocks):
        layers += [LULinear(4), Coupling(4, 32)]
    flow = Flow(layers).train()
    optim = torch.optim.Adam(flow.parameters(), lr=2e-3)
    held_out = rings(256, gen)

    for i in range(opts.iters):
        nll = -flow.log_prob(rings(64, gen)).mean()
        optim.zero_grad()
        nll.backward()
        optim.step()
        if i % opts.val_every == opts.val_every - 1:
            print(f"{i + 1}: train {nll.item():.3f}, val {validate(flow, held_out):.3f}")


if __name__ == "__main__":
    main()
