# gradwatch-corpus: kind=none
"""Energy and force matching for small noble-gas clusters."""
import argparse
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class ClusterBatch:
    positions: torch.Tensor
    energy: torch.Tensor
    forces: torch.Tensor


def pair_distances(positions):
    n = positions.shape[1]
    rows, cols = torch.triu_indices(n, n, offset=1)
    delta = positions[:, rows] - positions[:, cols]
    return delta.square().sum(dim=2).sqrt()


class LennardJones:
    def energy(self, positions):
        r = pair_distances(positions)
        inv6 = r.pow(-6)
        return (4 * (inv6.square() - inv6)).sum(dim=1)

    def label(self, positions):
        positions = positions.clone().requires_grad_(True)
        energy = self.energy(positions)
        (slope,) = torch.autograd.grad(energy.sum(), positions)
        return ClusterBatch(positions.detach(), energy.detach(), -slope)


class ClusterSource:
    def __init__(self, n_atoms, spacing=1.3, jitter=0.08):
        grid = torch.cartesian_prod(*[torch.arange(2.0)] * 3)[:n_atoms]
        self.base = spacing * grid
        self.jitter = jitter
        self.reference = LennardJones()

    def batch(self, n):
        positions = self.base + self.jitter * torch.randn(n, *self.base.shape)
        return self.reference.label(positions)


class PairPotential(nn.Module):
    def __init__(self, n_basis=20, width=40):
        super().__init__()
        self.register_buffer("centres", torch.linspace(0.8, 3.0, n_basis))
        self.layer1 = nn.Linear(n_basis, width)
        self.layer2 = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, positions):
        r = pair_distances(positions).unsqueeze(-1)
        basis = torch.exp(-((r - self.centres) / 0.15).square())
        h = torch.tanh(self.layer1(basis))
        h = torch.tanh(self.layer2(h))
        return self.out(h).squeeze(-1).sum(dim=1)


class ForceMatcher:
    def __init__(self, model, lr, force_weight):
        self.model = model
        self.force_weight = force_weight
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.recent = deque(maxlen=20)

    def step(self, batch):
        positions = batch.positions.requires_grad_(True)
        energy = self.model(positions)
        (slope,) = torch.autograd.grad(energy.sum(), positions, create_graph=True)
        force_error = (slope + batch.forces).square().mean()
        energy_error = (energy - batch.energy).square().mean()
        loss = energy_error + self.force_weight * force_error
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.recent.append((energy_error.item(), force_error.item()))

    def averages(self):
        n = len(self.recent)
        return sum(e for e, _ in self.recent) / n, sum(f for _, f in self.recent) / n


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--atoms", type=int, default=6)
    parser.add_argument("--batch", type=int, default=48)
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--force-weight", type=float, default=0.5)
    parser.add_argument("--lr", type=float, default=5e-3)
    args = parser.parse_args()
    torch.manual_seed(1)
    source = ClusterSource(args.atoms)
    matcher = ForceMatcher(PairPotential(), args.lr, args.force_weight)
    for number in range(1, args.steps + 1):
        matcher.step(source.batch(args.batch))
        if number % 20 == 0:
            e, f = matcher.averages()
            print(f"{number:4d}  energy {e:.3f}  force {f:.3f}")


if __name__ == "__main__":
    main()
