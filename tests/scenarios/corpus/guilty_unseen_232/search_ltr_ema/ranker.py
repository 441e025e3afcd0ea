import torch
from torch import nn


def tower(dim, hidden):
    return nn.Sequential(nn.Linear(dim, hidden), nn.GELU(), nn.Linear(hidden, hidden))


class TwoTowerRanker(nn.Module):
    def __init__(self, dim, hidden):
        super().__init__()
        self.query = tower(dim, hidden)
        self.doc = tower(dim, hidden)
        self.temp = nn.Parameter(torch.tensor(0.0))

    def forward(self, query, docs):
        q = self.query(query)
        d = self.doc(docs)
        return torch.einsum("nh,nkh->nk", q, d) * self.temp.exp()
