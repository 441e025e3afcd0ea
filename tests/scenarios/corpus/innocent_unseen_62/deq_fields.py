# gradwatch-corpus: kind=none
"""Equilibrium model of a lattice field, with implicit gradients and warm starts.

Fixed points are remembered per sample and serve as starting points when the
sample comes round again; gradients come from the adjoint fixed-point equation.
"""
import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Lattice(Dataset):
    """External fields and mean-field magnetisations of random lattices."""

    def __init__(self, n, sites, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.field = torch.randn(n, sites, generator=g)
        j = torch.randn(sites, sites, generator=g) / sites ** 0.5
        j = 0.3 * (j + j.T)
        m = torch.zeros(n, sites)
        for _ in range(200):
            m = torch.tanh(m @ j + self.field)
        self.m = m

    def __len__(self):
        return len(self.m)

    def __getitem__(self, i):
        return i, self.field[i], self.m[i]


@torch.no_grad()
def relax(fn, start, tol=1e-4, limit=60):
    """Plain Picard iteration; returns the point and the sweeps it took."""
    z = start
    for sweep in range(1, limit + 1):
        new = fn(z)
        if (new - z).norm() < tol * (1e-6 + new.norm()):
            return new, sweep
        z = new
    return z, limit


class Equilibrium(nn.Module):
    def __init__(self, n_samples, sites, hidden=32):
        super().__init__()
        self.w = nn.Parameter(0.05 * torch.randn(hidden, hidden))
        self.u = nn.Linear(sites, hidden)
        self.out = nn.Linear(hidden, sites)
        self.memory = torch.zeros(n_samples, hidden)
        self.last = None
        self.sweeps = 0

    def cell(self, z, x):
        w = self.w / (1.0 + self.w.norm())
        return torch.tanh(z @ w + self.u(x))

    def forward(self, idx, x):
        start = self.memory[idx]
        star, self.sweeps = relax(lambda z: self.cell(z, x), start)
        z = self.cell(star, x)
        if self.training:
            z0 = z.detach().requires_grad_()
            f0 = self.cell(z0, x)

            def adjoint(grad):
                g = grad
                for _ in range(25):
                    (vjp,) = torch.autograd.grad(f0, z0, g, retain_graph=True)
                    g = vjp + grad
                return g

            z.register_hook(adjoint)
            self.memory[idx] = z.detach()
        self.last = z
        return self.out(z)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=25)
    ap.add_argument("--batch", type=int, default=32)
    ap.add_argument("--samples", type=int, default=192)
    ap.add_argument("--sites", type=int, default=12)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    data = Lattice(args.samples, args.sites)
    loader = DataLoader(data, batch_size=args.batch, shuffle=True)
    model = Equilibrium(args.samples, args.sites)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    history = []
    for epoch in range(args.epochs):
        sweeps, loss_sum = 0, 0.0
        for idx, x, m in loader:
            loss = (model(idx, x) - m).square().mean()
            loss = loss + 1e-4 * model.last.square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            loss_sum += loss.item()
            sweeps += model.sweeps
        history.append(loss_sum / len(loader))
        if epoch % 5 == 0:
            print(f"epoch {epoch:3d}  loss {history[-1]:.4f}  sweeps {sweeps / len(loader):.1f}")


if __name__ == "__main__":
    main()
