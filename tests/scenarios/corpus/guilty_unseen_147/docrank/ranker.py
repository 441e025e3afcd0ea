import torch
from torch import nn

from .store import FeatureStore


class Ranker(nn.Module):
    def __init__(self, corpus, dim=10):
        super().__init__()
        self.corpus = corpus
        self.bag = nn.EmbeddingBag(corpus.vocab, dim, mode="mean")
        self.mix = nn.Sequential(nn.Linear(dim, dim), nn.Tanh())
        self.score = nn.Linear(dim, 1)
        self.store = FeatureStore(self._vector)

    def _vector(self, doc_id):
        return self.mix(self.bag(self.corpus.tokens[doc_id:doc_id + 1])).squeeze(0)

    def forward(self, slate):
        return self.score(torch.stack([self.store.get(d) for d in slate])).squeeze(1)
