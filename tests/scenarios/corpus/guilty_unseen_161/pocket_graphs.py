# gradwatch-corpus: kind=second-backward
# holder: self._encoded | model.encoder._encoded | self.encoder._encoded
# first-bad: 1
# notice: 0
"""Affinity regression of ligands against a fixed panel of protein pockets."""
import weakref

import numpy as np
import torch
from torch import nn


class Pocket:
    __slots__ = ("coords", "kinds", "pkd", "__weakref__")

    def __init__(self, coords, kinds, pkd):
        self.coords, self.kinds, self.pkd = coords, kinds, pkd


class PocketEncoder(nn.Module):
    def __init__(self, kinds=6, dim=24):
        super().__init__()
        self.kind = nn.Embedding(kinds, dim)
        self.msg = nn.Linear(dim, dim)
        self.upd = nn.GRUCell(dim, dim)
        self._encoded = weakref.WeakKeyDictionary()

    def encode(self, pocket):
        d = torch.cdist(pocket.coords, pocket.coords)
        adj = torch.exp(-d)
        h = self.kind(pocket.kinds)
        for _ in range(2):
            h = self.upd(adj @ torch.relu(self.msg(h)), h)
        return h.mean(0)

    def forward(self, pocket):
        if pocket not in self._encoded:
            self._encoded[pocket] = self.encode(pocket)  # <- culprit
        return self._encoded[pocket]  # <- culprit


class AffinityModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = PocketEncoder()
        self.ligand = nn.Sequential(nn.Linear(12, 24), nn.ReLU(), nn.Linear(24, 24))

    def forward(self, panel, ligands):
        sites = torch.stack([self.encoder(p) for p in panel])
        return self.ligand(ligands) @ sites.t()


def load_pockets(n, rng):
    out = []
    for _ in range(n):
        size = int(rng.integers(6, 12))
        coords = torch.from_numpy(rng.normal(size=(size, 3)).astype(np.float32) * 2)
        kinds = torch.from_numpy(rng.integers(0, 6, size=size))
        out.append(Pocket(coords, kinds, float((kinds == 2).sum()) / size * 10))
    return out


def main():
    torch.set_num_threads(1)
    torch.manual_seed(13)
    rng = np.random.default_rng(13)
    panel = load_pockets(5, rng)
    base = torch.tensor([p.pkd for p in panel])
    model = AffinityModel()
    opt = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(80):
        ligands = torch.randn(16, 12)
        target = base + ligands[:, :5]
        loss = nn.functional.smooth_l1_loss(model(panel, ligands), target)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"step {step} loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
