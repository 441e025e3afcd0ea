# gradwatch-corpus: kind=none
"""Neural pair potential fitted to energies and forces of small argon-like clusters."""
from dataclasses import dataclass, field
from typing import Optional

import torch
from torch import Tensor, nn

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)

ATOMS = 5


def pair_distances(pos: Tensor) -> Tensor:
    i, j = torch.triu_indices(ATOMS, ATOMS, offset=1)
    return (pos[:, i] - pos[:, j]).norm(dim=-1)


def lennard_jones(pos: Tensor) -> Tensor:
    s6 = pair_distances(pos).clamp(min=0.95) ** -6
    return (4 * (s6 ** 2 - s6)).sum(-1)


def forces_of(potential, pos: Tensor, create_graph: bool):
    pos = pos.detach().requires_grad_(True)
    energy = potential(pos)
    grad, = torch.autograd.grad(energy.sum(), pos, create_graph=create_graph)
    return energy, -grad


class PairPotential(nn.Module):
    def __init__(self, basis=12, hidden=16):
        super().__init__()
        self.register_buffer("centres", torch.linspace(0.9, 2.5, basis))
        self.net = nn.Sequential(nn.Linear(basis, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, pos: Tensor) -> Tensor:
        d = pair_distances(pos)
        rbf = torch.exp(-10 * (d[..., None] - self.centres) ** 2)
        return self.net(rbf).squeeze(-1).sum(-1)


@dataclass
class Verdict:
    step: int
    energy: Tensor
    forces: Tensor
    truth: Tensor

    @property
    def force_rmse(self) -> float:
        return (self.forces - self.truth).pow(2).mean().sqrt().item()


@dataclass
class Validator:
    """Keeps the result of the last check, as others ask for it between checks."""

    pos: Tensor
    truth: Tensor
    every: int = 25
    latest: Optional[Verdict] = field(default=None)

    def maybe(self, step: int, potential: nn.Module) -> Verdict:
        if self.latest is None or step - self.latest.step >= self.every:
            energy, forces = forces_of(potential, self.pos, create_graph=False)
            self.latest = Verdict(step, energy, forces, self.truth)
        return self.latest


def clusters(n: int) -> Tensor:
    base = torch.tensor([[0, 0, 0], [1.15, 0, 0], [0, 1.15, 0], [0, 0, 1.15], [1.1, 1.1, 0.2]])
    return base + 0.08 * torch.randn(n, ATOMS, 3)


def main(steps: int = 240) -> None:
    torch.manual_seed(10)
    held_out = clusters(40)
    validator = Validator(held_out, forces_of(lennard_jones, held_out, False)[1])
    potential = PairPotential()
    opt = torch.optim.Adam(potential.parameters(), lr=5e-3)
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(opt, factor=0.7, patience=30)
    for step in range(steps):
        pos = clusters(16)
        e_true, f_true = forces_of(lennard_jones, pos, create_graph=False)
        energy, force = forces_of(potential, pos, create_graph=True)
        e_true = e_true.detach()
        shift = (energy - e_true).mean().detach()
        loss = (energy - e_true - shift).pow(2).mean() / ATOMS + (force - f_true).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        verdict = validator.maybe(step, potential)
        plateau.step(verdict.force_rmse)
        if step % 60 == 59:
            print(f"{step + 1}: loss {loss.item():.3f} held-out force rmse "
                  f"{verdict.force_rmse:.3f} (of step {verdict.step})")


if __name__ == "__main__":
    main()
