from torch import nn
from torch.nn import functional as F

from .cache import TowerCache


def tower(inputs, width):
    return nn.Sequential(nn.Linear(inputs, 32), nn.ReLU(), nn.Linear(32, width))


class TwoTower(nn.Module):
    def __init__(self, inputs=16, width=12):
        super().__init__()
        self.query = tower(inputs, width)
        self.doc = tower(inputs, width)
        self.query_cache = TowerCache(self.query)
        self.doc_cache = TowerCache(self.doc)

    def loss(self, corpus, q, d):
        a = self.query_cache.fetch(q, corpus.queries)
        b = self.doc_cache.fetch(d, corpus.docs)
        logits = F.normalize(a, dim=-1) @ F.normalize(b, dim=-1).T * 8.0
        same = corpus.topic(q)[:, None] == corpus.topic(d)[None, :]
        return F.binary_cross_entropy_with_logits(logits, same.float())
