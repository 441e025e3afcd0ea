# gradwatch-corpus: kind=none
"""Retinal encoding model whose receptive fields come from a hypernetwork."""
import argparse

import torch
from torch import nn

from weights import FieldCache, FieldWriter


class Spikes:
    """White-noise stimuli and Poisson counts of cells with Gabor-like fields."""

    def __init__(self, cells, size, seed):
        self.g = torch.Generator().manual_seed(seed)
        c = torch.linspace(-1, 1, size)
        yy, xx = torch.meshgrid(c, c, indexing="ij")
        pos = torch.rand(cells, 2, generator=self.g) - 0.5
        r2 = (xx[None] - pos[:, 0, None, None]) ** 2 + (yy[None] - pos[:, 1, None, None]) ** 2
        self.fields = (torch.exp(-r2 / 0.08) - 0.5 * torch.exp(-r2 / 0.3)).flatten(1)
        self.size = size

    def batch(self, n):
        x = torch.randn(n, self.size ** 2, generator=self.g)
        rate = torch.exp((0.5 * x @ self.fields.T).clamp(max=3.0))
        return x, torch.poisson(rate, generator=self.g)


class Output(nn.Module):
    """Per-cell gain and offset with a softened exponential."""

    def __init__(self, cells):
        super().__init__()
        self.gain = nn.Parameter(torch.full((cells,), 0.1))
        self.offset = nn.Parameter(torch.zeros(cells))

    def forward(self, drive):
        return nn.functional.softplus(self.gain * drive + self.offset) + 1e-4


def poisson_nll(rate, count):
    return (rate - count * rate.log()).mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=240)
    ap.add_argument("--period", type=int, default=8)
    ap.add_argument("--cells", type=int, default=12)
    ap.add_argument("--size", type=int, default=8)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)

    spikes = Spikes(args.cells, args.size, seed=1)
    writer, output = FieldWriter(args.cells, args.size), Output(args.cells)
    cache = FieldCache(writer, args.period)
    slow = torch.optim.Adam(writer.parameters(), lr=1e-2)
    fast = torch.optim.Adam(output.parameters(), lr=5e-3)
    recent = []
    for step in range(args.steps):
        x, count = spikes.batch(64)
        fields, renewed = cache.get()
        nll = poisson_nll(output(x @ fields.T), count)
        objective = nll
        if renewed:
            objective = nll + 1e-3 * fields.abs().mean()
            slow.zero_grad()
        fast.zero_grad()
        objective.backward()
        fast.step()
        if renewed:
            slow.step()
        recent.append(nll.item())
        if step % 40 == 39:
            print(f"step {step:4d}  nll {sum(recent) / len(recent):.4f}  "
                  f"|field| {cache.fields.abs().mean().item():.4f}")
            recent.clear()


if __name__ == "__main__":
    main()
