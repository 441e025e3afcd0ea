import torch.nn as nn
import torch.nn.functional as F


class QueryTower(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.proj = nn.Linear(dim, dim)

    def forward(self, tokens):
        return F.normalize(self.proj(self.bag(tokens)), dim=-1)


class CategoryTower(QueryTower):
    def __init__(self, vocab, dim):
        super().__init__(vocab, dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, tokens):
        return F.normalize(self.norm(self.proj(self.bag(tokens))), dim=-1)
