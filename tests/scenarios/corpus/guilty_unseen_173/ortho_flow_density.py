# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Fit a small stack of orthogonal-linear + leaky flow layers to a 2-moons like density, 8-d lifted.

The mixing matrices are kept orthogonal through torch.nn.utils.parametrize.
"""
import argparse
import math
import time

import torch
import torch.nn as nn
from torch.nn.utils import parametrize


class CayleyOrthogonal(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("eye", torch.eye(dim))

    def forward(self, raw):
        skew = raw.triu(1)
        skew = skew - skew.transpose(-1, -2)
        return torch.linalg.solve(self.eye + skew, self.eye - skew)


class FlowLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.mix = nn.Linear(dim, dim, bias=False)
        nn.init.normal_(self.mix.weight, std=0.1)
        parametrize.register_parametrization(self.mix, "weight", CayleyOrthogonal(dim), unsafe=True)
        self.shift = nn.Parameter(torch.zeros(dim))
        self.log_scale = nn.Parameter(torch.zeros(dim))
        self.raw_slope = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        z = self.mix(x)
        z = (z + self.shift) * self.log_scale.exp()
        logdet = self.log_scale.sum().expand(x.shape[0])
        slope = 0.2 + 0.8 * torch.sigmoid(self.raw_slope)
        neg = z < 0
        z = torch.where(neg, z * slope, z)
        logdet = logdet + (neg * slope.log()).sum(1)
        return z, logdet


class Flow(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.layers = nn.ModuleList(FlowLayer(dim) for _ in range(depth))
        self.dim = dim

    def log_prob(self, x):
        total = x.new_zeros(x.shape[0])
        for layer in self.layers:
            x, ld = layer(x)
            total = total + ld
        base = -0.5 * (x ** 2).sum(1) - 0.5 * self.dim * math.log(2 * math.pi)
        return base + total


def make_moons(n, gen):
    t = torch.rand(n, generator=gen) * math.pi
    side = (torch.rand(n, generator=gen) > 0.5).float()
    x = torch.cos(t) * (1 - 2 * side) + side
    y = torch.sin(t) * (1 - 2 * side) + 0.5 * side
    return torch.stack([x, y], 1) + 0.05 * torch.randn(n, 2, generator=gen)


class LiftedMoons:
    def __init__(self, n, dim, seed):
        gen = torch.Generator().manual_seed(seed)
        lift = torch.randn(2, dim, generator=gen)
        data = make_moons(n, gen) @ lift + 0.1 * torch.randn(n, dim, generator=gen)
        self.data = (data - data.mean(0)) / data.std(0)
        self.gen = gen

    def batches(self, size):
        perm = torch.randperm(len(self.data), generator=self.gen)
        for i in range(0, len(perm) - size + 1, size):
            yield self.data[perm[i:i + size]]


def train_epoch(flow, loader, opt, clip, batch):
    seen, nll_sum = 0, 0.0
    with parametrize.cached():  # <- culprit
        for x in loader.batches(batch):
            opt.zero_grad()
            nll = -flow.log_prob(x).mean()
            nll.backward()
            nn.utils.clip_grad_norm_(flow.parameters(), clip)
            opt.step()
            nll_sum += nll.item() * len(x)
            seen += len(x)
    return nll_sum / seen


@torch.no_grad()
def orthogonality_error(flow):
    errs = []
    for layer in flow.layers:
        w = layer.mix.weight
        errs.append((w @ w.T - torch.eye(w.shape[0])).abs().max().item())
    return max(errs)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=20)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--depth", type=int, default=4)
    args = ap.parse_args()
    torch.manual_seed(11)
    data = LiftedMoons(2048, 8, seed=3)
    flow = Flow(8, args.depth)
    opt = torch.optim.Adam(flow.parameters(), lr=3e-3)
    for epoch in range(args.epochs):
        t0 = time.time()
        nll = train_epoch(flow, data, opt, 5.0, args.batch)
        print(f"epoch {epoch:3d} nll {nll:.3f} orth {orthogonality_error(flow):.1e} {time.time() - t0:.2f}s")


if __name__ == "__main__":
    main()
