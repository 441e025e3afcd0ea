import torch.nn.functional as F
from torch import nn


class TwoTower(nn.Module):
    def __init__(self, words, dim=24):
        super().__init__()
        self.words = nn.EmbeddingBag(words, dim, mode="mean")
        self.doc_head = nn.Sequential(nn.Linear(dim, dim), nn.Tanh(), nn.Linear(dim, dim))
        self.query_head = nn.Linear(dim, dim)

    def document(self, tokens):
        return F.normalize(self.doc_head(self.words(tokens)), dim=1)

    def query(self, tokens):
        return F.normalize(self.query_head(self.words(tokens)), dim=1)
