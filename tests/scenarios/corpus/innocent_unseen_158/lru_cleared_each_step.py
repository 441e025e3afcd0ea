# gradwatch-corpus: kind=none
"""Message passing over molecules of few atom types; edge filters are computed once per update."""
from functools import lru_cache, partial

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(44)

KINDS = ("C", "N", "O", "H")


class EdgeFilters(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.width = width
        self.atoms = nn.Embedding(len(KINDS), 6)
        self.net = nn.Sequential(nn.Linear(12, 24), nn.SiLU(), nn.Linear(24, width * width))
        self.lookup = lru_cache(maxsize=None)(self.compute)

    def compute(self, a, b):
        pair = self.atoms(torch.tensor([KINDS.index(a), KINDS.index(b)])).flatten()
        return self.net(pair).view(self.width, self.width) / self.width

    def reset(self):
        self.lookup.cache_clear()


class MoleculeNet(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.start = nn.Embedding(len(KINDS), width)
        self.filters = EdgeFilters(width)
        self.out = nn.Linear(width, 1)

    def forward(self, atoms, bonds):
        h = self.start(torch.tensor([KINDS.index(a) for a in atoms]))
        for _ in range(2):
            inbox = [[] for _ in atoms]
            for i, j in bonds:
                inbox[i].append(self.filters.lookup(atoms[i], atoms[j]) @ h[j])
                inbox[j].append(self.filters.lookup(atoms[j], atoms[i]) @ h[i])
            h = torch.stack([torch.tanh(h[i] + sum(m)) if m else h[i] for i, m in enumerate(inbox)])
        return self.out(h.sum(0)).squeeze()


def molecule(generator):
    n = int(torch.randint(3, 7, (1,), generator=generator))
    atoms = [KINDS[i] for i in torch.randint(len(KINDS), (n,), generator=generator).tolist()]
    bonds = [(int(torch.randint(0, i, (1,), generator=generator)), i) for i in range(1, n)]
    energy = sum(1.0 if atoms[i] == atoms[j] else -0.5 for i, j in bonds)
    return atoms, bonds, torch.tensor(energy)


def update(model, opt, batch, criterion):
    losses = [criterion(model(atoms, bonds), energy) for atoms, bonds, energy in batch]
    loss = torch.stack(losses).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.filters.reset()
    return loss.item()


def main():
    generator = torch.Generator().manual_seed(2)
    model = MoleculeNet()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    step_fn = partial(update, model, opt, criterion=partial(F.smooth_l1_loss, beta=0.5))
    recent = 0.0
    for step in range(80):
        recent += step_fn([molecule(generator) for _ in range(6)])
        if step % 20 == 19:
            print(f"step {step + 1} loss {recent / 20:.4f}")
            recent = 0.0


if __name__ == "__main__":
    main()
