import torch
import torch.nn.functional as F
from torch import nn


class Pool(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.query = nn.Parameter(torch.randn(width) / width ** 0.5)

    def forward(self, e):
        return (torch.softmax(e @ self.query, 1)[..., None] * e).sum(1)


class RulingClassifier(nn.Module):
    def __init__(self, vocab, width):
        super().__init__()
        self.embed = nn.Embedding(vocab, width)
        self.pool = Pool(width)
        self.hidden = nn.Linear(width, width)
        self.out = nn.Linear(width, 2)

    def from_embedding(self, e):
        return self.out(F.softplus(self.hidden(self.pool(e))))

    def forward(self, tokens):
        return self.from_embedding(self.embed(tokens))
