# gradwatch-corpus: kind=none
"""Persistent contrastive divergence on dihedral angles of a toy peptide."""
import argparse
import random
from collections import deque

import torch
from torch import nn

from chains import Reservoir, langevin


class TorsionEnergy(nn.Module):
    """Energy periodic in both angles through a sine and cosine embedding."""

    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, width), nn.SiLU(), nn.Linear(width, width),
                                 nn.SiLU(), nn.Linear(width, 1))

    def forward(self, phi):
        feats = torch.cat([phi.sin(), phi.cos()], dim=1)
        return self.net(feats).squeeze(1)


def ramachandran(n, g):
    """A few basins in (phi, psi)."""
    centres = torch.tensor([[-1.1, -0.8], [-1.3, 2.4], [1.0, 0.7]])
    k = torch.multinomial(torch.tensor([0.5, 0.4, 0.1]), n, replacement=True, generator=g)
    return centres[k] + 0.3 * torch.randn(n, 2, generator=g)


class AdaptiveStep:
    """Step size of the walk, from the last few energy gaps."""

    def __init__(self, step=0.1, window=10):
        self.step = step
        self.gaps = deque(maxlen=window)

    def observe(self, gap):
        self.gaps.append(gap)
        mean = sum(float(g) for g in self.gaps) / len(self.gaps)
        self.step = min(0.3, max(0.02, self.step * (1.02 if mean > 0 else 0.98)))


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=220)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--walk", type=int, default=10)
    ap.add_argument("--limit", type=int, default=1024)
    ap.add_argument("--reg", type=float, default=0.02)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    random.seed(0)
    g = torch.Generator().manual_seed(1)

    energy = TorsionEnergy()
    opt = torch.optim.Adam(energy.parameters(), lr=2e-3)
    chains = Reservoir(args.limit, dim=2)
    tuner = AdaptiveStep()
    for it in range(args.steps):
        pos = ramachandran(args.batch, g)
        neg = langevin(energy, chains.draw(args.batch), args.walk, tuner.step)
        chains.add(neg)

        e_pos, e_neg = energy(pos), energy(neg.detach())
        gap = e_neg.mean() - e_pos.mean()

        energy.requires_grad_(False)
        walk_term = energy(neg).mean()
        energy.requires_grad_(True)

        loss = -gap + 0.1 * walk_term + args.reg * (e_pos ** 2 + e_neg ** 2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        tuner.observe(gap)
        if it % 40 == 0:
            print(f"{it:4d}  gap {gap.item():+.4f}  step {tuner.step:.3f}  chains {len(chains.items)}")


if __name__ == "__main__":
    main()
