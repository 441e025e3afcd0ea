# gradwatch-corpus: kind=graph-held
# holder: encoder.memo | self.memo
# first-bad: 1
# notice: 8
import weakref
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(23)


class Molecule:
    __slots__ = ("atoms", "bonds", "target", "__weakref__")

    def __init__(self, rng):
        n = int(torch.randint(4, 8, (1,), generator=rng))
        self.atoms = torch.randint(0, 6, (n,), generator=rng)
        a = (torch.rand(n, n, generator=rng) > 0.5).float()
        self.bonds = ((a + a.t()) > 0).float()
        self.target = self.atoms.float().mean() + 0.1 * self.bonds.sum() / n


@dataclass
class Encoding:
    mol: Molecule
    nodes: torch.Tensor
    pooled: torch.Tensor


class Encoder(nn.Module):
    """Message passing; two heads ask for the same molecule in one step, so encodings are shared between them."""

    def __init__(self, dim=10):
        super().__init__()
        self.kind = nn.Embedding(6, dim)
        self.msg = nn.Linear(dim, dim)
        self.memo = weakref.WeakKeyDictionary()

    def encode(self, mol):
        hit = self.memo.get(mol)
        if hit is not None:
            return hit
        h = self.kind(mol.atoms)
        for _ in range(2):
            h = torch.tanh(h + mol.bonds @ self.msg(h) / len(h))
        enc = Encoding(mol, h, h.mean(0))  # <- culprit
        self.memo[mol] = enc  # <- culprit
        return enc


class Property(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.value = nn.Linear(10, 1)
        self.atom = nn.Linear(10, 6)

    def value_loss(self, mol):
        return (self.value(self.encoder.encode(mol).pooled)[0] - mol.target).square()

    def atom_loss(self, mol):
        return nn.functional.cross_entropy(self.atom(self.encoder.encode(mol).nodes), mol.atoms)


rng = torch.Generator().manual_seed(2)
encoder = Encoder()
model = Property(encoder)
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for step in range(320):
    batch = [Molecule(rng) for _ in range(3)]
    loss = sum(model.value_loss(m) for m in batch) + 0.3 * sum(model.atom_loss(m) for m in batch)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 80 == 79:
        print(step + 1, round(loss.item(), 3))
