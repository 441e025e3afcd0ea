# gradwatch-corpus: kind=graph-held
# holder: report.rows | self.rows
# first-bad: 1
# notice: 8
"""Variational Monte Carlo for the helium atom with a neural Jastrow factor."""
import argparse

import torch
from torch import nn


class Jastrow(nn.Module):
    """log psi(r1, r2) = -zeta (r1 + r2) + r12 / 2(1 + b r12) + small network."""

    def __init__(self, width=16):
        super().__init__()
        self.zeta = nn.Parameter(torch.tensor(1.7))
        self.b = nn.Parameter(torch.tensor(0.3))
        self.net = nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, pos):
        r1 = pos[:, :3].norm(dim=1)
        r2 = pos[:, 3:].norm(dim=1)
        r12 = (pos[:, :3] - pos[:, 3:]).norm(dim=1)
        sym = torch.stack([r1 + r2, r1 * r2, r12], dim=1)
        smooth = self.net(torch.exp(-0.5 * sym)).squeeze(1)
        return -self.zeta * (r1 + r2) + 0.5 * r12 / (1 + self.b.abs() * r12) + 0.1 * smooth


def local_energy(psi, pos):
    """-1/2 (lap log psi + |grad log psi|^2) + V, walker by walker."""
    pos = pos.detach().requires_grad_()
    (g,) = torch.autograd.grad(psi(pos).sum(), pos, create_graph=True)
    lap = 0.0
    for i in range(pos.shape[1]):
        (gi,) = torch.autograd.grad(g[:, i].sum(), pos, retain_graph=True)
        lap = lap + gi[:, i]
    r1, r2 = pos[:, :3].norm(dim=1), pos[:, 3:].norm(dim=1)
    r12 = (pos[:, :3] - pos[:, 3:]).norm(dim=1)
    kinetic = -0.5 * (lap + g.square().sum(1))
    return (kinetic - 2 / r1 - 2 / r2 + 1 / r12).detach()


class Metropolis:
    def __init__(self, walkers, width=0.4):
        self.pos = torch.randn(walkers, 6)
        self.width = width

    @torch.no_grad()
    def sweep(self, psi, n):
        logp = 2 * psi(self.pos)
        moved = 0.0
        for _ in range(n):
            trial = self.pos + self.width * torch.randn_like(self.pos)
            new = 2 * psi(trial)
            take = torch.rand_like(new).log() < new - logp
            self.pos = torch.where(take[:, None], trial, self.pos)
            logp = torch.where(take, new, logp)
            moved += take.float().mean().item()
        return moved / n


class Report:
    """Rows of a results table; cells are formatted when the table is printed."""

    def __init__(self):
        self.rows = []

    def row(self, step, **cells):
        self.rows.append((step, cells))  # <- culprit

    def render(self, every):
        for step, cells in self.rows[::every]:
            body = "  ".join(f"{k} {fn():+.4f}" for k, fn in cells.items())
            print(f"{step:4d}  {body}")


def optimise(psi, args):
    sampler = Metropolis(args.walkers)
    sampler.sweep(psi, 100)
    opt = torch.optim.Adam(psi.parameters(), lr=args.lr)
    report = Report()
    for step in range(args.steps):
        rate = sampler.sweep(psi, args.sweeps)
        energy = local_energy(psi, sampler.pos)
        low, high = energy.quantile(0.02), energy.quantile(0.98)
        centred = energy.clamp(low, high) - energy.clamp(low, high).mean()
        surrogate = 2 * (centred * psi(sampler.pos)).mean()
        opt.zero_grad()
        surrogate.backward()
        opt.step()
        report.row(step,
                   energy=lambda e=energy: e.mean().item(),
                   error=lambda e=energy: e.std().item() / len(e) ** 0.5,
                   surrogate=lambda s=surrogate: s.item(),  # <- culprit
                   accepted=lambda r=rate: r)
    return report


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--walkers", type=int, default=128)
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--sweeps", type=int, default=8)
    ap.add_argument("--lr", type=float, default=5e-3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(2)
    psi = Jastrow()
    report = optimise(psi, args)
    report.render(every=10)
    print(f"zeta {psi.zeta.item():.3f}  (exact energy -2.9037)")


if __name__ == "__main__":
    main()
