# gradwatch-corpus: kind=none
"""Force matching for a Lennard-Jones cluster: a pairwise neural potential is fitted to energies and forces.

Forces are the derivative of the predicted energy, so the training graph is a graph of gradients.
"""
import functools
import operator
from collections import deque
from typing import Callable

import torch
from torch import Tensor, nn

ATOMS = 7


def pair_distances(pos: Tensor) -> Tensor:
    i, j = torch.triu_indices(ATOMS, ATOMS, offset=1)
    return (pos[:, i] - pos[:, j]).pow(2).sum(-1).add(1e-9).sqrt()


def lennard_jones(pos: Tensor) -> Tensor:
    r6 = pair_distances(pos).pow(-6)
    return (r6 * r6 - 2 * r6).sum(1)


def with_forces(energy_fn: Callable[[Tensor], Tensor], pos: Tensor, differentiable: bool):
    pos = pos.detach().requires_grad_()
    energy = energy_fn(pos)
    grad, = torch.autograd.grad(energy.sum(), pos, create_graph=differentiable)
    return (energy, -grad) if differentiable else (energy.detach(), -grad)


def reference_cluster() -> Tensor:
    """A rough pentagonal bipyramid."""
    angle = torch.arange(5) * (2 * torch.pi / 5)
    ring = torch.stack([0.85 * angle.cos(), 0.85 * angle.sin(), torch.zeros(5)], dim=1)
    poles = torch.tensor([[0.0, 0.0, 0.52], [0.0, 0.0, -0.52]])
    return torch.cat([ring, poles])


def frames(batch: int, seed: int):
    gen = torch.Generator().manual_seed(seed)
    base = reference_cluster()
    while True:
        pos = base * (1.0 + 0.15 * torch.rand(batch, 1, 1, generator=gen))
        pos = pos + 0.04 * torch.randn(batch, ATOMS, 3, generator=gen)
        yield (pos, *with_forces(lennard_jones, pos, differentiable=False))


class PairPotential(nn.Module):
    def __init__(self, basis: int = 16, dim: int = 32):
        super().__init__()
        self.register_buffer("centres", torch.linspace(0.7, 2.6, basis))
        self.net = nn.Sequential(nn.Linear(basis, dim), nn.Tanh(), nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, 1))

    def forward(self, pos: Tensor) -> Tensor:
        r = pair_distances(pos)
        rbf = torch.exp(-((r.unsqueeze(-1) - self.centres) / 0.15).pow(2))
        return self.net(rbf).sum((1, 2))


class WorstFrames:
    """The most recent frames on which the force error was large, for a closer look after the run."""

    def __init__(self, keep: int):
        self.frames = deque(maxlen=keep)

    def __call__(self, pos: Tensor, error: Tensor) -> None:
        k = int(error.argmax())
        self.frames.append((float(error[k]), pos[k].clone()))

    def __str__(self) -> str:
        return ", ".join(f"{e:.2f}" for e, _ in sorted(self.frames, key=operator.itemgetter(0))[-3:])


def fit(model: nn.Module, stream, on_step, steps: int = 240) -> list[float]:
    optim = torch.optim.Adam(model.parameters(), lr=4e-3)
    curve = []
    for step, (pos, energy, force) in zip(range(steps), stream):
        scale = force.pow(2).mean().sqrt()
        guess_e, guess_f = with_forces(model, pos, differentiable=True)
        miss = ((guess_f - force) / scale).pow(2).mean((1, 2))
        loss = miss.mean() + 0.1 * ((guess_e - energy) / energy.std()).pow(2).mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
        on_step(pos, miss.detach())
        curve.append(loss.item())
        if (step + 1) % 60 == 0:
            print(f"{step + 1:4d}  loss {functools.reduce(operator.add, curve[-20:]) / 20:.4f}")
    return curve


if __name__ == "__main__":
    torch.manual_seed(12)
    torch.set_num_threads(1)
    worst = WorstFrames(keep=25)
    fit(PairPotential(), frames(batch=12, seed=3), worst)
    print("largest recent force errors:", worst)
