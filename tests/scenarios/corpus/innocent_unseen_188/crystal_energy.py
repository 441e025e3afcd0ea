# gradwatch-corpus: kind=none
"""Pair-potential regression for small periodic crystals with force matching."""
import numpy as np
import torch
import torch.nn as nn


class PairNet(nn.Module):
    def __init__(self, centers=12, hidden=24):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0.3, 2.0, centers))
        self.net = nn.Sequential(nn.Linear(centers, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, pos, box):
        d = pos[:, :, None] - pos[:, None, :]
        d = d - box * torch.round(d / box)
        n = pos.shape[1]
        i, j = torch.triu_indices(n, n, 1)
        r = d[:, i, j].pow(2).sum(-1).add(1e-6).sqrt()
        basis = torch.exp(-8 * (r[..., None] - self.mu) ** 2)
        return self.net(basis).squeeze(-1).sum(-1)


def reference(pos, box):
    d = pos[:, :, None] - pos[:, None, :]
    d = d - box * torch.round(d / box)
    n = pos.shape[1]
    i, j = torch.triu_indices(n, n, 1)
    r = d[:, i, j].pow(2).sum(-1).add(1e-6).sqrt()
    return ((1 - torch.exp(-2 * (r - 1.0))) ** 2 - 1).clamp(max=5).sum(-1)


class ObjectRing:
    def __init__(self, size):
        self.cells = np.empty((size, 2), dtype=object)
        self.cursor = 0

    def put(self, energy, force_err):
        row = self.cursor % len(self.cells)
        self.cells[row, 0] = energy
        self.cells[row, 1] = force_err
        self.cursor += 1

    def column(self, k):
        filled = min(self.cursor, len(self.cells))
        return list(self.cells[:filled, k])


def lattice(gen, batch, side=2, box=2.2):
    axis = torch.arange(side).float() * box / side
    base = torch.cartesian_prod(axis, axis, axis)
    return base + 0.12 * torch.randn(batch, len(base), 3, generator=gen)


def main():
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(22)
    box = 2.2
    model = PairNet()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    ring = ObjectRing(16)
    for epoch in range(9):
        for _ in range(50):
            pos = lattice(gen, 8).requires_grad_(True)
            target = reference(pos, box)
            target_force = -torch.autograd.grad(target.sum(), pos)[0]
            target = target.detach()
            energy = model(pos, box)
            force = -torch.autograd.grad(energy.sum(), pos, create_graph=True)[0]
            force_err = (force - target_force).pow(2).mean()
            loss = (energy - target).pow(2).mean() / 28 + force_err
            opt.zero_grad()
            loss.backward()
            opt.step()
            ring.put(energy, force_err)
        spread = torch.stack([e.std() for e in ring.column(0)]).mean()
        err = np.mean([f.item() for f in ring.column(1)])
        print(f"epoch {epoch} loss {loss.item():.3f} spread {spread.item():.3f} force {err:.3f}")


if __name__ == "__main__":
    main()
