# gradwatch-corpus: kind=graph-held
# holder: self.previous | state.previous | state.energy | state.previous.energy | self.energy | new.previous | new.energy | start | end.previous | state
# first-bad: 1
# notice: 8
"""Toy HP-lattice-like folding: torsion angles of a bead chain predicted by a small network to lower an energy."""
from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import Callable, Generic, Optional, TypeVar

import torch
from torch import Tensor, nn

T = TypeVar("T", bound=nn.Module)


@dataclass(frozen=True, eq=False)
class FoldState(Generic[T]):
    """Immutable state of a run; every transition makes a new one."""
    model: T
    optimizer: torch.optim.Optimizer
    temperature: float
    step: int = 0
    energy: Optional[Tensor] = None
    rejected: int = 0
    previous: Optional["FoldState[T]"] = None

    def advance(self, **changes) -> "FoldState[T]":
        return replace(self, step=self.step + 1, previous=self, **changes)  # <- culprit

    @property
    def improved(self) -> bool:
        if self.previous is None or self.previous.energy is None:
            return True
        return self.energy.item() <= self.previous.energy.item()


class TorsionNet(nn.Module):
    def __init__(self, kinds: int = 2, width: int = 20):
        super().__init__()
        self.embed = nn.Embedding(kinds, width)
        self.mix = nn.Conv1d(width, width, 5, padding=2)
        self.angles = nn.Conv1d(width, 2, 1)

    def forward(self, residues: Tensor) -> Tensor:
        h = self.embed(residues).transpose(1, 2)
        h = torch.tanh(self.mix(h)) + h
        return self.angles(h).transpose(1, 2)


def place_beads(angles: Tensor) -> Tensor:
    heading = angles.cumsum(1)
    theta, phi = heading[..., 0], heading[..., 1]
    bonds = torch.stack([theta.cos() * phi.cos(), theta.sin() * phi.cos(), phi.sin()], -1)
    return bonds.cumsum(1)


def contact_energy(beads: Tensor, residues: Tensor) -> Tensor:
    gap = (beads.unsqueeze(1) - beads.unsqueeze(2)).pow(2).sum(-1) + 0.1
    hydrophobic = (residues.unsqueeze(1) * residues.unsqueeze(2)).float()
    n = residues.shape[1]
    far = torch.ones(n, n).triu(3)
    attraction = -(hydrophobic * far / gap).sum((1, 2))
    repulsion = (far * torch.relu(1.0 - gap)).sum((1, 2))
    return (attraction + 4.0 * repulsion).mean() / n


Transition = Callable[[FoldState, Tensor], FoldState]


def annealed(rate: float, floor: float = 0.05) -> Callable[[Transition], Transition]:
    """Cool the temperature after each transition which did not raise the energy."""
    def wrap(fn: Transition) -> Transition:
        @functools.wraps(fn)
        def inner(state: FoldState, residues: Tensor) -> FoldState:
            new = fn(state, residues)
            if new.improved:
                return replace(new, temperature=max(floor, new.temperature * rate))
            return replace(new, rejected=new.rejected + 1)
        return inner
    return wrap


@annealed(rate=0.98)
def gradient_move(state: FoldState, residues: Tensor) -> FoldState:
    angles = state.model(residues)
    angles = angles + state.temperature * 0.2 * torch.randn_like(angles)
    energy = contact_energy(place_beads(angles), residues)
    state.optimizer.zero_grad()
    energy.backward()
    state.optimizer.step()
    return state.advance(energy=energy)  # <- culprit


class Driver:
    def __init__(self, transition: Transition, sequences: Tensor, batch: int = 6):
        self.transition = transition
        self.sequences = sequences
        self.batch = batch

    def run(self, state: FoldState, steps: int) -> FoldState:
        while state.step < steps:
            picked = torch.randint(len(self.sequences), (self.batch,))
            state = self.transition(state, self.sequences[picked])
            if state.step % 40 == 0:
                print(f"step {state.step}: E={state.energy.item():.4f} T={state.temperature:.3f} "
                      f"rejected={state.rejected}")
        return state


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(9)
    net = TorsionNet()
    sequences = (torch.rand(40, 18) < 0.5).long()
    start = FoldState(model=net, optimizer=torch.optim.Adam(net.parameters(), lr=4e-3), temperature=1.0)
    end = Driver(gradient_move, sequences).run(start, steps=160)
    print("finished at", end.step, "with temperature", round(end.temperature, 3))


if __name__ == "__main__":
    main()
