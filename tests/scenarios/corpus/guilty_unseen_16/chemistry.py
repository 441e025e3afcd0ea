# gradwatch-corpus: kind=graph-held
# holder: seen | seen.terms | self.terms | seen.terms[name] | self.terms[name] | seen.terms["logS"]
# first-bad: 1
"""Aqueous solubility and dipole of small molecules with a dense message-passing net.

The objective is written as an algebra of named terms so that ablations read like formulas.
"""
import torch
import torch.nn.functional as F
from torch import nn

ATOM_KINDS, MAX_ATOMS = 6, 14


class Terms:
    """Named loss terms that add up, scale, and know their total."""

    def __init__(self, **terms):
        self.terms = terms

    def __add__(self, other):
        out = Terms(**self.terms)
        out += other
        return out

    def __iadd__(self, other):
        for name, value in other.terms.items():
            self.terms[name] = self.terms[name] + value if name in self.terms else value  # <- culprit
        return self

    def __mul__(self, k):
        return Terms(**{name: value * k for name, value in self.terms.items()})

    __rmul__ = __mul__

    def __truediv__(self, k):
        return self * (1.0 / k)

    @property
    def total(self):
        return sum(self.terms.values())

    def __format__(self, spec):
        spec = spec or ".3f"
        return "  ".join(f"{name} {format(value.item(), spec)}" for name, value in self.terms.items())


class Molecules:
    """Random graphs with a made-up but learnable property: contributions of atoms and of bonds."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.atom_value = torch.randn(ATOM_KINDS, generator=self.g)
        self.bond_value = torch.randn(ATOM_KINDS, ATOM_KINDS, generator=self.g) * 0.3
        self.bond_value = self.bond_value + self.bond_value.t()

    def batch(self, n=24):
        kinds = torch.randint(ATOM_KINDS, (n, MAX_ATOMS), generator=self.g)
        size = torch.randint(5, MAX_ATOMS + 1, (n, 1), generator=self.g)
        mask = (torch.arange(MAX_ATOMS)[None] < size).float()
        adj = (torch.rand(n, MAX_ATOMS, MAX_ATOMS, generator=self.g) < 0.18).float().triu(1)
        adj = (adj + adj.transpose(1, 2)) * mask[:, None] * mask[:, :, None]
        atoms = self.atom_value[kinds] * mask
        bonds = (self.bond_value[kinds[:, :, None], kinds[:, None]] * adj).sum((1, 2)) / 2
        log_s = (atoms.sum(1) + bonds) / 4
        dipole = atoms.std(dim=1)
        return kinds, mask, adj, log_s, dipole


class MessageNet(nn.Module):
    def __init__(self, dim=32, rounds=3):
        super().__init__()
        self.embed = nn.Embedding(ATOM_KINDS, dim)
        self.message = nn.ModuleList(nn.Linear(dim, dim, bias=False) for _ in range(rounds))
        self.update = nn.GRUCell(dim, dim)
        self.read = nn.Sequential(nn.Linear(dim, dim), nn.SiLU(), nn.Linear(dim, 2))

    def forward(self, kinds, mask, adj):
        h = self.embed(kinds) * mask[..., None]
        for lin in self.message:
            m = adj @ lin(h)
            h = self.update(m.flatten(0, 1), h.flatten(0, 1)).view_as(h) * mask[..., None]
        return self.read(h.sum(1) / 4), h


def objective(net, kinds, mask, adj, log_s, dipole):
    out, h = net(kinds, mask, adj)
    fit = Terms(logS=F.smooth_l1_loss(out[:, 0], log_s)) + 0.3 * Terms(dipole=F.mse_loss(out[:, 1], dipole))
    return fit + 1e-3 * Terms(spread=h.pow(2).mean())


def train(net, data, steps=240, report=60):
    optim = torch.optim.Adam(net.parameters(), lr=3e-3)
    seen, n = Terms(), 0
    for step in range(1, steps + 1):
        parts = objective(net, *data.batch())
        optim.zero_grad()
        parts.total.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optim.step()
        seen += parts  # <- culprit
        n += 1
        if step % report == 0:
            print(f"{step:4d} | now: {parts} | mean: {seen / n:.4f}")
    return seen / n


if __name__ == "__main__":
    torch.manual_seed(8)
    torch.set_num_threads(1)
    mean = train(MessageNet(), Molecules(seed=2))
    print(f"run mean: {mean:.4f}")
