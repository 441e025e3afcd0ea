import torch
from torch import nn

from utils import memoize_by_input


class SGCNet(nn.Module):
    def __init__(self, d_in, d_hid, n_cls, hops):
        super().__init__()
        self.hops = hops
        self.embed = nn.Linear(d_in, d_hid)
        self.norm = nn.LayerNorm(d_hid)
        self.mlp = nn.Sequential(nn.Dropout(0.3), nn.Linear(d_hid, d_hid), nn.ReLU(), nn.Linear(d_hid, n_cls))

    @memoize_by_input("_prop_cache")  # <- culprit
    def propagate(self, x, adj):
        h = self.embed(x)
        for _ in range(self.hops):
            h = torch.sparse.mm(adj, h)
        return h

    def forward(self, x, adj):
        return self.mlp(self.norm(self.propagate(x, adj)))
