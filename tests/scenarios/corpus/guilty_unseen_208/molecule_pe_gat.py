# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Graph regression on random molecules with Laplacian positional features and edge gating."""
import dataclasses
from typing import Iterator

import torch
import torch.nn.functional as F
from torch import nn


@dataclasses.dataclass
class Cfg:
    n_graphs: int = 96
    nodes: int = 10
    k_eig: int = 4
    pe_dim: int = 8
    hidden: int = 24
    layers: int = 2
    batch: int = 12
    epochs: int = 60
    lr: float = 2e-3
    seed: int = 17


def laplacian_eigs(adj, k):
    deg = adj.sum(-1).clamp(min=1).rsqrt()
    lap = torch.eye(adj.size(-1)) - deg[..., :, None] * adj * deg[..., None, :]
    _, vec = torch.linalg.eigh(lap)
    return vec[..., 1:k + 1]


def make_molecules(cfg, gen):
    a = (torch.rand(cfg.n_graphs, cfg.nodes, cfg.nodes, generator=gen) < 0.25).float().triu(1)
    adj = a + a.transpose(1, 2)
    atoms = torch.randint(0, 4, (cfg.n_graphs, cfg.nodes), generator=gen)
    electroneg = torch.tensor([0.2, -0.1, 0.5, -0.6])[atoms]
    pair = electroneg[:, :, None] * electroneg[:, None, :]
    return adj, atoms, (adj * pair).sum((1, 2)) / cfg.nodes


class SignInvariantPE(nn.Module):
    def __init__(self, k, dim):
        super().__init__()
        self.phi = nn.Sequential(nn.Linear(1, dim), nn.Tanh(), nn.Linear(dim, dim))
        self.rho = nn.Linear(k * dim, dim)

    def forward(self, eig):
        e = eig.unsqueeze(-1)
        return self.rho((self.phi(e) + self.phi(-e)).flatten(-2))


class GatedLayer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.msg, self.gate, self.upd = nn.Linear(dim, dim), nn.Linear(2 * dim, 1), nn.Linear(2 * dim, dim)

    def forward(self, h, adj):
        n = h.size(1)
        pair = torch.cat([h[:, :, None].expand(-1, -1, n, -1), h[:, None].expand(-1, n, -1, -1)], -1)
        w = torch.sigmoid(self.gate(pair)).squeeze(-1) * adj
        return h + F.relu(self.upd(torch.cat([h, w @ self.msg(h)], -1)))


class MolNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.pe = SignInvariantPE(cfg.k_eig, cfg.pe_dim)
        self.atom = nn.Embedding(4, cfg.hidden - cfg.pe_dim)
        self.layers = nn.ModuleList(GatedLayer(cfg.hidden) for _ in range(cfg.layers))
        self.head = nn.Linear(cfg.hidden, 1)

    def forward(self, atoms, adj, pe):
        h = torch.cat([self.atom(atoms), pe], -1)
        for layer in self.layers:
            h = layer(h, adj)
        return self.head(h.mean(1)).squeeze(-1)


class MolDataset:
    def __init__(self, cfg, model, gen):
        self.adj, self.atoms, self.y = make_molecules(cfg, gen)
        self.pe = model.pe(laplacian_eigs(self.adj, cfg.k_eig))  # <- culprit
        self.gen = gen

    def batches(self, size) -> Iterator[tuple]:
        for idx in torch.randperm(len(self.y), generator=self.gen).split(size):
            yield self.atoms[idx], self.adj[idx], self.pe[idx], self.y[idx]


def train(cfg: Cfg):
    torch.manual_seed(cfg.seed)
    gen = torch.Generator().manual_seed(cfg.seed)
    model = MolNet(cfg)
    data = MolDataset(cfg, model, gen)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        total = 0.0
        for atoms, adj, pe, y in data.batches(cfg.batch):
            loss = F.smooth_l1_loss(model(atoms, adj, pe), y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            total += loss.item() * len(y)
        if epoch % 10 == 0:
            print(f"epoch {epoch}: {total / cfg.n_graphs:.4f}")


if __name__ == "__main__":
    train(Cfg())
