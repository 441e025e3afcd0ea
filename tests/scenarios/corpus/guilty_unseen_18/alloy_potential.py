# gradwatch-corpus: kind=graph-chain
# holder: self._e0 | self.e0 | model.e0._e0 | reference._e0 | model.reference._e0 | self.reference._e0 | e0 | model.reference.e0
# first-bad: 26
"""Surrogate potential for a binary alloy: radial symmetry functions, an atomic MLP, and per-species reference
energies which are smoothed over time because single batches are unbalanced in composition."""
import math
from contextlib import contextmanager
import time

import torch
from torch import nn

SPECIES, ATOMS, CUTOFF = 2, 8, 4.0


class ReferenceEnergies(nn.Module):
    """Learned energy of an isolated atom for each species, averaged once the first epochs are over."""

    def __init__(self, n_species, rate=0.05, settle=25):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(n_species))
        self.rate, self.settle = rate, settle
        self._e0 = None
        self._calls = 0

    @property
    def e0(self):
        if self._e0 is None:
            return self.shift
        return self._e0

    def refresh(self):
        self._calls += 1
        if self._calls <= self.settle:
            return
        self._e0 = torch.lerp(self.e0, self.shift, self.rate)  # <- culprit

    def forward(self, species):
        if self.training:
            self.refresh()
        return self.e0[species]


class RadialBasis(nn.Module):
    def __init__(self, n=10):
        super().__init__()
        self.register_buffer("centers", torch.linspace(0.8, CUTOFF, n))
        self.eta = 4.0

    def forward(self, r):
        envelope = 0.5 * (torch.cos(math.pi * (r / CUTOFF).clamp(max=1.0)) + 1)
        return torch.exp(-self.eta * (r[..., None] - self.centers) ** 2) * envelope[..., None]


class AlloyPotential(nn.Module):
    def __init__(self, n_basis=10, hidden=24):
        super().__init__()
        self.basis = RadialBasis(n_basis)
        self.pair = nn.Embedding(SPECIES * SPECIES, n_basis)
        self.atomic = nn.Sequential(nn.Linear(n_basis + SPECIES, hidden), nn.SiLU(), nn.Linear(hidden, 1))
        self.reference = ReferenceEnergies(SPECIES)
        self.register_buffer("off_diagonal", 1.0 - torch.eye(ATOMS))

    def energy(self, pos, species):
        delta = pos[:, :, None] - pos[:, None]
        r = (delta.pow(2).sum(-1) + 1e-6).sqrt()
        kinds = species[:, :, None] * SPECIES + species[:, None]
        density = (self.basis(r) * self.pair(kinds) * self.off_diagonal[..., None]).sum(2)
        onehot = nn.functional.one_hot(species, SPECIES).to(pos.dtype)
        e = self.atomic(torch.cat([density, onehot], -1)).squeeze(-1)
        return (e + self.reference(species)).sum(1)

    def forward(self, pos, species):
        pos = pos.requires_grad_()
        energy = self.energy(pos, species)
        (dpos,) = torch.autograd.grad(energy.sum(), pos, create_graph=True)
        return energy, -dpos


def lennard_jones(pos, species):
    """Ground truth: LJ with a species-dependent well and a constant for each atom."""
    pos = pos.clone().requires_grad_()
    delta = pos[:, :, None] - pos[:, None]
    r2 = delta.pow(2).sum(-1) + torch.eye(ATOMS) * 1e3
    eps = 0.2 + 0.1 * (species[:, :, None] + species[:, None])
    s6 = (1.2**2 / r2.clamp(min=0.9)) ** 3
    const = torch.tensor([-1.5, -2.5])[species].sum(1)
    energy = (2 * eps * (s6**2 - s6)).sum((1, 2)) + const
    forces = -torch.autograd.grad(energy.sum(), pos)[0]
    return energy.detach(), forces


def configurations(batch, seed=31):
    gen = torch.Generator().manual_seed(seed)
    corner = torch.tensor([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)], dtype=torch.float32)
    while True:
        pos = 1.6 * corner + 0.08 * torch.randn(batch, ATOMS, 3, generator=gen)
        fraction = torch.rand(batch, 1, generator=gen)
        species = (torch.rand(batch, ATOMS, generator=gen) < fraction).long()
        yield (pos, species, *lennard_jones(pos, species))


@contextmanager
def clock(label):
    begin = time.perf_counter()
    yield
    print(f"{label}: {time.perf_counter() - begin:.1f} s")


def fit(steps=240):
    torch.manual_seed(8)
    model = AlloyPotential()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, amsgrad=True)
    for step, (pos, species, e_ref, f_ref) in zip(range(steps), configurations(8)):
        energy, forces = model(pos, species)
        loss_e = ((energy - e_ref) / ATOMS).pow(2).mean()
        loss_f = (forces - f_ref).pow(2).mean()
        optimizer.zero_grad()
        (loss_e + 0.1 * loss_f).backward()
        optimizer.step()
        if step % 60 == 59:
            e0 = [round(v, 3) for v in model.reference.e0.tolist()]
            print(f"{step + 1:4d} rmse(E) {loss_e.item() ** 0.5:.4f} rmse(F) {loss_f.item() ** 0.5:.4f} e0 {e0}")


if __name__ == "__main__":
    with clock("fit"):
        fit()
