import torch
from torch import nn


class Potential(nn.Module):
    def __init__(self, n_rbf, hidden, cutoff=4.0):
        super().__init__()
        self.register_buffer("centres", torch.linspace(0.5, cutoff, n_rbf))
        self.net = nn.Sequential(nn.Linear(n_rbf, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(),
                                 nn.Linear(hidden, 1))
        self._pairs = {}                       # index pairs by number of atoms

    def pairs(self, n):
        if n not in self._pairs:
            self._pairs[n] = torch.triu_indices(n, n, 1)
        return self._pairs[n]

    def energy(self, r):
        i, j = self.pairs(r.shape[-2])
        d = (r[..., i, :] - r[..., j, :]).norm(dim=-1)
        rbf = torch.exp(-4 * (d[..., None] - self.centres) ** 2)
        return self.net(rbf).sum((-1, -2))

    def forward(self, r):
        r = r.detach().requires_grad_(True)
        with torch.enable_grad():
            e = self.energy(r)
            (de,) = torch.autograd.grad(e.sum(), r, create_graph=self.training)
        self.last_positions = r
        return e, -de
