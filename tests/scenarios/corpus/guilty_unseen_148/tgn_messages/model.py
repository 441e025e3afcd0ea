from torch import nn

from .memory import NodeMemory


class LinkPredictor(nn.Module):
    def __init__(self, n_nodes, dim, edge_dim):
        super().__init__()
        self.memory = NodeMemory(n_nodes, dim)
        self.static = nn.Embedding(n_nodes, dim)
        self.message = nn.Linear(edge_dim, dim)
        self.q, self.k = nn.Linear(dim, dim), nn.Linear(dim, dim)

    def embed(self, ids):
        return self.memory.read(ids) + self.static(ids)

    def score(self, a, b):
        return (self.q(self.embed(a)) * self.k(self.embed(b))).sum(-1)

    def observe(self, ev):
        msg = self.message(ev.feat)
        self.memory.write(ev.src, msg)
        self.memory.write(ev.dst, msg)
