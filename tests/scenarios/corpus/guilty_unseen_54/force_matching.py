# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Pair-potential network trained on energies and forces of Lennard-Jones clusters."""
from collections import defaultdict

import torch
import torch.nn as nn


def pair_distances(pos):
    i, j = torch.triu_indices(pos.shape[1], pos.shape[1], offset=1)
    return (pos[:, i] - pos[:, j]).pow(2).sum(-1).add(1e-9).sqrt()


def lj_energy(pos):
    inv6 = pair_distances(pos).clamp(min=0.9).pow(-6)
    return (4 * (inv6 ** 2 - inv6)).sum(-1)


class PairNet(nn.Module):
    def __init__(self, n_basis=12, width=24):
        super().__init__()
        self.register_buffer("mu", torch.linspace(0.8, 3.0, n_basis))
        self.mlp = nn.Sequential(nn.Linear(n_basis, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(),
                                 nn.Linear(width, 1))

    def forward(self, pos):
        r = pair_distances(pos)
        basis = torch.exp(-8.0 * (r.unsqueeze(-1) - self.mu) ** 2)
        return self.mlp(basis).squeeze(-1).sum(-1)


class Trainer:
    weights = {"energy": 1.0, "force": 10.0}

    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.stats = defaultdict(list)

    def predict(self, pos):
        pos = pos.clone().requires_grad_()
        e = self.model(pos)
        (g,) = torch.autograd.grad(e.sum(), pos, create_graph=True)
        return e, -g

    def grad_norm(self):
        return sum(p.grad.pow(2).sum() for p in self.model.parameters() if p.grad is not None).sqrt().item()

    def backprop(self, terms):
        for name, value in terms.items():
            (self.weights[name] * value).backward()  # <- culprit
            self.stats["gnorm/" + name].append(self.grad_norm())
            self.stats[name].append(value.item())

    def fit_batch(self, pos, e_ref, f_ref):
        self.opt.zero_grad()
        e, f = self.predict(pos)
        self.backprop({"energy": (e - e_ref).pow(2).mean(), "force": (f - f_ref).pow(2).mean()})
        self.opt.step()

    def report(self, step):
        print(step, "  ".join(f"{k} {sum(v[-20:]) / len(v[-20:]):.3g}" for k, v in self.stats.items()))


def clusters(n, atoms=5):
    base = 1.12 * torch.randn(n, atoms, 3)
    p = base.requires_grad_()
    e = lj_energy(p)
    f = -torch.autograd.grad(e.sum(), p)[0]
    scale = f.std()
    return base.detach(), (e / scale).detach(), f / scale


def main():
    torch.manual_seed(17)
    pos, e, f = clusters(500)
    tr = Trainer(PairNet(), lr=2e-3)
    for step in range(150):
        b = torch.randint(0, len(pos), (24,))
        tr.fit_batch(pos[b], e[b], f[b])
        if step % 30 == 29:
            tr.report(step)


if __name__ == "__main__":
    main()
