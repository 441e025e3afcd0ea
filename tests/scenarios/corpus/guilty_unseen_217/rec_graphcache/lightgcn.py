import torch
from torch import nn


class CachedPropagationMixin:
    """Propagation over the full graph is the expensive part, so it is done lazily."""

    _final = None

    def invalidate(self):
        self._final = None

    def final_embeddings(self):
        if self._final is None:
            self._final = self.propagate()  # <- culprit
        return self._final  # <- culprit


class LightGCN(CachedPropagationMixin, nn.Module):
    def __init__(self, graph, dim, layers):
        super().__init__()
        self.n_users, self.layers = graph.n_users, layers
        self.emb = nn.Embedding(graph.n_users + graph.n_items, dim)
        nn.init.normal_(self.emb.weight, std=0.1)
        self.gate = nn.Parameter(torch.zeros(layers + 1))
        self.register_buffer("adj", graph.norm_adj)

    def propagate(self):
        h, outs = self.emb.weight, [self.emb.weight]
        for _ in range(self.layers):
            h = self.adj @ h
            outs.append(h)
        w = torch.softmax(self.gate, 0)
        return sum(wi * o for wi, o in zip(w, outs))

    def forward(self, u, items):
        z = self.final_embeddings()
        return (z[u] * z[self.n_users + items]).sum(-1)

    def train(self, mode=True):
        self.invalidate()
        return super().train(mode)
