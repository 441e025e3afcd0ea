# gradwatch-corpus: kind=none
"""Charge model for small molecules fitted to dipoles with L-BFGS; message passes
are checkpointed and the molecule features come from a bounded cache."""
from collections import OrderedDict

import torch
import torch.nn as nn
from torch.utils.checkpoint import checkpoint


class Molecules:
    def __init__(self, n=36, atoms=6, seed=19):
        g = torch.Generator().manual_seed(seed)
        self.z = torch.randint(4, (n, atoms), generator=g)
        self.pos = 1.3 * torch.randn(n, atoms, 3, generator=g)
        chi = torch.tensor([0.4, -0.1, -0.3, 0.2])[self.z]
        d = torch.cdist(self.pos, self.pos) + 10 * torch.eye(atoms)
        q = chi - chi.mean(1, keepdim=True) + 0.1 * ((chi[:, None] - chi[:, :, None]) * torch.exp(-d)).sum(2)
        self.dip = (q.unsqueeze(-1) * self.pos).sum(1)


class BasisCache:
    def __init__(self, limit):
        self.limit, self.hits = limit, 0
        self.table = OrderedDict()

    def basis(self, i, pos):
        if i in self.table:
            self.hits += 1
            self.table.move_to_end(i)
            return self.table[i]
        d = torch.cdist(pos, pos).unsqueeze(-1)
        b = torch.exp(-2 * (d - torch.linspace(0.5, 4, 6)) ** 2) * (d > 1e-6)
        self.table[i] = b
        if len(self.table) > self.limit:
            self.table.popitem(last=False)
        return b


class ChargeNet(nn.Module):
    def __init__(self, hid=12, passes=2):
        super().__init__()
        self.emb = nn.Embedding(4, hid)
        self.filt = nn.ModuleList(nn.Linear(6, hid) for _ in range(passes))
        self.upd = nn.ModuleList(nn.Linear(2 * hid, hid) for _ in range(passes))
        self.out = nn.Linear(hid, 1)

    def message(self, k, h, basis):
        m = (self.filt[k](basis) * h.unsqueeze(1)).sum(2)
        return torch.tanh(self.upd[k](torch.cat([h, m], -1)))

    def forward(self, z, basis):
        h = self.emb(z)
        for k in range(len(self.upd)):
            h = checkpoint(self.message, k, h, basis, use_reentrant=False)
        q = self.out(h).squeeze(-1)
        return q - q.mean(1, keepdim=True)


class Fit:
    def __init__(self, mols):
        self.mols, self.cache, self.net = mols, BasisCache(limit=36), ChargeNet()
        self.opt = torch.optim.LBFGS(self.net.parameters(), lr=0.7, max_iter=3, history_size=6)
        self.evals, self.curve = 0, []

    def loss(self):
        basis = torch.stack([self.cache.basis(i, p) for i, p in enumerate(self.mols.pos)])
        q = self.net(self.mols.z, basis)
        return ((q.unsqueeze(-1) * self.mols.pos).sum(1) - self.mols.dip).pow(2).mean()

    def closure(self):
        self.opt.zero_grad()
        loss = self.loss()
        loss.backward()
        self.evals += 1
        return loss

    def step(self):
        value = self.opt.step(self.closure)
        self.curve.append(value.item())


def main(n_steps=60):
    torch.manual_seed(19)
    fit = Fit(Molecules())
    for k in range(n_steps):
        fit.step()
        if k % 15 == 0:
            print(f"L-BFGS {k:2d} dipole mse {fit.curve[-1]:.6f} evals {fit.evals} cache hits {fit.cache.hits}")
    print("final rmse", fit.curve[-1] ** 0.5)


if __name__ == "__main__":
    main()
