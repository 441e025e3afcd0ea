# gradwatch-corpus: kind=graph-held
# holder: mol.embedding | self.dataset.items | dataset.items | exp.dataset.items
# first-bad: 1
"""Message passing on random molecules; embeddings are attached to the molecules for later clustering."""
import random

import torch
import torch.nn as nn


class Molecule:
    def __init__(self, rng):
        self.n_atoms = rng.randint(5, 9)
        self.atoms = torch.randint(0, 6, (self.n_atoms,))
        src = []
        dst = []
        for i in range(1, self.n_atoms):
            j = rng.randrange(i)
            src.extend([i, j])
            dst.extend([j, i])
        self.edges = torch.tensor([src, dst])
        hetero = (self.atoms > 2).float().mean()
        self.target = hetero + 0.1 * self.n_atoms
        self.embedding = None


class MoleculeSet:
    def __init__(self, size, seed):
        rng = random.Random(seed)
        self.items = [Molecule(rng) for _ in range(size)]

    def batches(self, bs):
        order = torch.randperm(len(self.items)).tolist()
        for k in range(0, len(order), bs):
            yield [self.items[i] for i in order[k:k + bs]]


class MPNN(nn.Module):
    def __init__(self, dim=24, rounds=3):
        super().__init__()
        self.atom = nn.Embedding(6, dim)
        self.msg = nn.Linear(dim, dim)
        self.upd = nn.GRUCell(dim, dim)
        self.rounds = rounds
        self.out = nn.Linear(dim, 1)

    def embed(self, mol):
        h = self.atom(mol.atoms)
        src, dst = mol.edges
        for _ in range(self.rounds):
            m = torch.relu(self.msg(h))
            agg = torch.zeros_like(h).index_add(0, dst, m[src])
            h = self.upd(agg, h)
        return h.mean(dim=0)


class Experiment:
    def __init__(self, size=480, bs=4):
        self.dataset = MoleculeSet(size, seed=2)
        self.bs = bs
        self.model = MPNN()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=2e-3)

    def train_batch(self, mols):
        losses = []
        for mol in mols:
            z = self.model.embed(mol)
            mol.embedding = z  # <- culprit
            pred = self.model.out(z).squeeze()
            losses.append((pred - mol.target) ** 2)
        loss = torch.stack(losses).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def train_epoch(self):
        total = 0.0
        for i, mols in enumerate(self.dataset.batches(self.bs)):
            total += self.train_batch(mols)
            if i % 30 == 29:
                print("batch", i + 1, "mean loss", total / (i + 1))

    def centroid(self):
        stacked = torch.stack([m.embedding for m in self.dataset.items])
        return stacked.mean(0)


torch.manual_seed(2)
exp = Experiment()
exp.train_epoch()
print("centroid norm", exp.centroid().norm().item())
