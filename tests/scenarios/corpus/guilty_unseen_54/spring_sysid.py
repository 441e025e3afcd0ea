# gradwatch-corpus: kind=second-backward
# holder: self.A | sim.A
# first-bad: 1
"""System identification of a damped spring chain from noisy trajectories."""
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Opts:
    masses: int = 5
    horizon: int = 15
    dt: float = 0.05
    epochs: int = 20
    batch: int = 32
    lr: float = 0.03


class SpringChain(nn.Module):
    """q'' = -K q - c q', semi-implicit Euler."""

    def __init__(self, n, dt):
        super().__init__()
        self.n, self.dt = n, dt
        self.log_k = nn.Parameter(torch.zeros(n + 1))
        self.log_c = nn.Parameter(torch.tensor(-2.0))
        self.A = None

    def stiffness(self):
        k = self.log_k.exp()
        off = torch.diag_embed(-k[1:-1], offset=1) + torch.diag_embed(-k[1:-1], offset=-1)
        return torch.diag(k[:-1] + k[1:]) + off

    def assemble(self):
        """System matrix for the velocity update; costly for long chains."""
        K = self.stiffness()
        self.A = torch.cat([-K, -self.log_c.exp() * torch.eye(self.n)], dim=1)  # <- culprit

    def forward(self, q, v, steps):
        out = []
        for _ in range(steps):
            v = v + self.dt * torch.cat([q, v], -1) @ self.A.T
            q = q + self.dt * v
            out.append(q)
        return torch.stack(out, 1)


def record_trajectories(o, n=256):
    true = SpringChain(o.masses, o.dt)
    with torch.no_grad():
        true.log_k.copy_(torch.linspace(0.2, 1.4, o.masses + 1))
        true.log_c.fill_(-1.0)
        true.assemble()
        q0 = torch.randn(n, o.masses)
        v0 = torch.zeros(n, o.masses)
        traj = true(q0, v0, o.horizon)
        traj = traj + 0.01 * torch.randn_like(traj)
    return TensorDataset(q0, v0, traj)


def fit(o):
    loader = DataLoader(record_trajectories(o), batch_size=o.batch, shuffle=True)
    sim = SpringChain(o.masses, o.dt)
    opt = torch.optim.Adam(sim.parameters(), lr=o.lr)
    for epoch in range(o.epochs):
        sim.assemble()  # <- culprit
        total = 0.0
        for q0, v0, traj in loader:
            pred = sim(q0, v0, o.horizon)
            err = (pred - traj).pow(2).mean()
            opt.zero_grad()
            err.backward()
            opt.step()
            total += err.item()
        print(f"epoch {epoch:2d}  mse {total / len(loader):.5f}  c={sim.log_c.exp().item():.3f}")
    return sim


if __name__ == "__main__":
    torch.manual_seed(11)
    fit(Opts())
