# gradwatch-corpus: kind=graph-held
# holder: mol.fingerprint | m.fingerprint | library | [m.fingerprint for m in library]
# first-bad: 1
"""Solubility regression on toy molecules; each record carries its newest fingerprint."""
from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Iterator
from typing import Optional

import torch
from torch import nn

ATOMS = 6


@dataclass(eq=False)
class Molecule:
    ident: int
    atoms: torch.Tensor
    bonds: torch.Tensor
    target: float
    fingerprint: Optional[torch.Tensor] = None


def random_molecule(ident: int, rng: random.Random) -> Molecule:
    n = rng.randint(6, 12)
    atoms = torch.tensor([rng.randrange(ATOMS) for _ in range(n)])
    bonds = torch.eye(n)
    for i in range(1, n):
        j = rng.randrange(i)
        bonds[i, j] = bonds[j, i] = 1.0
    hetero = (atoms >= 3).float()
    target = hetero.mean() * 2 - 0.1 * bonds.sum() / n
    return Molecule(ident, atoms, bonds, float(target))


def minibatches(library: list[Molecule], size: int, total: int, rng: random.Random) -> Iterator[list[Molecule]]:
    pool: list[Molecule] = []
    for _ in range(total):
        if len(pool) < size:
            pool = rng.sample(library, len(library))
        chunk = pool[:size]
        pool = pool[size:]
        yield chunk


class MessagePassing(nn.Module):
    def __init__(self, dim: int = 40, rounds: int = 2):
        super().__init__()
        self.embed = nn.Embedding(ATOMS, dim)
        self.mix = nn.ModuleList(nn.Linear(dim, dim) for _ in range(rounds))
        self.readout = nn.Linear(dim, 1)

    def encode(self, mol: Molecule) -> torch.Tensor:
        h = self.embed(mol.atoms)
        norm = mol.bonds / mol.bonds.sum(1, keepdim=True)
        for layer in self.mix:
            h = torch.relu(layer(norm @ h)) + h
        return h.mean(0)

    def forward(self, batch: list[Molecule]) -> torch.Tensor:
        fingerprints = torch.stack([self.encode(m) for m in batch])
        for mol, fp in zip(batch, fingerprints):
            mol.fingerprint = fp  # <- culprit
        return self.readout(fingerprints).squeeze(1)


def neighbours(library: list[Molecule], query: int) -> list[int]:
    known = [m for m in library if m.fingerprint is not None]
    bank = torch.stack([m.fingerprint.detach() for m in known])
    distance = (bank - bank[query]).norm(dim=1)
    return [known[i].ident for i in distance.topk(4, largest=False).indices.tolist()]


def main() -> None:
    torch.manual_seed(75)
    rng = random.Random(75)
    library = [random_molecule(i, rng) for i in range(1600)]
    net = MessagePassing()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for it, batch in enumerate(minibatches(library, 16, 150, rng)):
        y = torch.tensor([m.target for m in batch])
        loss = (net(batch) - y).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 30 == 0:
            print(f"it {it} mse {loss.item():.4f}")
    print("closest to first:", neighbours(library, 0))


if __name__ == "__main__":
    main()
