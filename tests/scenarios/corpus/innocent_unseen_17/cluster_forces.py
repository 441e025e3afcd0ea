# gradwatch-corpus: kind=none
"""Neural potential for small argon-like clusters, fitted to energies and forces; half of each batch comes from a pool that
is moved along by the fitted forces themselves."""
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Iterator, Protocol

import torch
from torch import nn

ATOMS = 6


class Potential(Protocol):
    def energy(self, positions: torch.Tensor) -> torch.Tensor: ...


@dataclass
class LennardJones:
    epsilon: float = 0.2
    sigma: float = 1.0

    def energy(self, positions):
        i, j = torch.triu_indices(ATOMS, ATOMS, 1)
        r2 = (positions[:, i] - positions[:, j]).pow(2).sum(-1)
        s6 = (self.sigma**2 / r2.clamp(min=0.7)) ** 3
        return 4 * self.epsilon * (s6 * s6 - s6).sum(-1)


class RadialNet(nn.Module):
    def __init__(self, n_basis=12, width=32):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0.7, 3.5, n_basis))
        self.atom = nn.Sequential(nn.Linear(n_basis, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(),
                                  nn.Linear(width, 1))
        self.register_buffer("eye", torch.eye(ATOMS, dtype=torch.bool))

    def energy(self, positions):
        delta = positions.unsqueeze(2) - positions.unsqueeze(1)
        r = (delta.pow(2).sum(-1) + 1e-6 + 100.0 * self.eye).sqrt()
        basis = torch.exp(-((r.unsqueeze(-1) - self.mu) / 0.25) ** 2)
        return self.atom(basis.sum(2)).sum((1, 2))


@contextmanager
def frozen(module):
    flags = [p.requires_grad for p in module.parameters()]
    module.requires_grad_(False)
    try:
        yield module
    finally:
        for p, flag in zip(module.parameters(), flags):
            p.requires_grad_(flag)


def energy_and_forces(potential: Potential, positions, training=False):
    positions = positions.detach().requires_grad_()
    energy = potential.energy(positions)
    (gradient,) = torch.autograd.grad(energy.sum(), positions, create_graph=training)
    return energy, -gradient


@dataclass
class Pool:
    """Configurations that wander on the fitted surface, Langevin style."""

    size: int
    rng: torch.Generator
    positions: torch.Tensor = field(init=False)
    visits: int = 0

    def __post_init__(self):
        self.positions = fresh(self.size, self.rng)

    def wander(self, net, dt=0.01, noise=0.05):
        with frozen(net):
            _, force = energy_and_forces(net, self.positions)
        kick = noise * torch.randn(self.positions.shape, generator=self.rng)
        self.positions = self.positions + dt * force.clamp(-20, 20) + kick
        self.visits += self.size
        lost = self.positions.abs().amax((1, 2)) > 4
        if lost.any():
            self.positions[lost] = fresh(int(lost.sum()), self.rng)
        return self.positions


def fresh(n, rng):
    grid = torch.tensor([[x, y, z] for x in (0.0, 1.1) for y in (0.0, 1.1) for z in (0.0, 1.1)])[:ATOMS]
    return grid + 0.12 * torch.randn(n, ATOMS, 3, generator=rng)


def batches(pool, net, rng, half=12) -> Iterator[torch.Tensor]:
    while True:
        yield torch.cat([fresh(half, rng), pool.wander(net)])


@dataclass
class Running:
    energy: float = 0.0
    force: float = 0.0

    def add(self, **parts):
        for name, part in parts.items():
            setattr(self, name, 0.95 * getattr(self, name) + 0.05 * part.item())


def main(steps=300):
    torch.manual_seed(3)
    rng = torch.Generator().manual_seed(14)
    truth, net = LennardJones(), RadialNet()
    pool, running = Pool(12, rng), Running()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step, positions in zip(range(steps), batches(pool, net, rng)):
        e_true, f_true = energy_and_forces(truth, positions)
        e, f = energy_and_forces(net, positions, training=True)
        e_loss = (e - e_true.detach()).div(ATOMS).abs().mean()
        f_loss = nn.functional.smooth_l1_loss(f, f_true)
        optimizer.zero_grad()
        (e_loss + 5.0 * f_loss).backward(inputs=list(net.parameters()))
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimizer.step()
        running.add(energy=e_loss, force=f_loss)
        if step % 75 == 74:
            print(f"step {step + 1:4d}  energy {running.energy:.4f}  force {running.force:.4f}  pool {pool.visits}")


if __name__ == "__main__":
    main()
