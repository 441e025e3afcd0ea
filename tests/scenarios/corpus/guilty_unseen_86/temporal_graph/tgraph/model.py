import torch
from torch import nn

from .memory import NodeMemory


class StreamLinkPredictor(nn.Module):
    def __init__(self, n_nodes, feat_dim, dim):
        super().__init__()
        self.memory = NodeMemory(n_nodes, feat_dim, dim)
        self.static = nn.Embedding(n_nodes, dim)
        self.proj = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, dim))

    def embed(self, nodes):
        both = torch.cat([self.static(nodes), self.memory.read(nodes)], dim=-1)
        return self.proj(both)

    def score(self, ev):
        s = self.embed(ev.src)
        pos = (s * self.embed(ev.dst)).sum(-1)
        neg = (s * self.embed(ev.neg)).sum(-1)
        return pos, neg

    def observe(self, ev):
        self.memory.write(ev.src, ev.feat)
        self.memory.write(ev.dst, ev.feat)
