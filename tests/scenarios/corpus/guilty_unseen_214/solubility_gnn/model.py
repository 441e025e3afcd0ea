import torch
from torch import nn


class MPLayer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.msg = nn.Linear(d, d)
        self.upd = nn.GRUCell(d, d)

    def forward(self, h, adj):
        b, n, d = h.shape
        m = torch.bmm(adj, torch.relu(self.msg(h)))
        return self.upd(m.reshape(b * n, d), h.reshape(b * n, d)).view(b, n, d)


class SolNet(nn.Module):
    def __init__(self, n_types=6, d=32, depth=3):
        super().__init__()
        self.emb = nn.Embedding(n_types, d)
        self.layers = nn.ModuleList(MPLayer(d) for _ in range(depth))
        self.head = nn.Sequential(nn.Linear(d, d), nn.SiLU(), nn.Linear(d, 1))

    def forward(self, types, adj):
        h = self.emb(types)
        for layer in self.layers:
            h = layer(h, adj)
        return self.head(h.sum(1)).squeeze(-1)
