import torch
from torch import nn


class AttentionPool(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.query = nn.Parameter(torch.randn(dim) / dim ** 0.5)
        self.key = nn.Linear(dim, dim)

    def forward(self, h, pad=None):
        weights = torch.softmax(torch.tanh(self.key(h)) @ self.query, dim=1)
        if pad is not None:
            weights.masked_fill_(pad, 0.0)  # <- culprit
        return (weights.unsqueeze(-1) * h).sum(1)


class ReviewScorer(nn.Module):
    def __init__(self, vocab, dim=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=0)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.pool = AttentionPool(dim)
        self.out = nn.Linear(dim, 1)

    def forward(self, ids, pad=None):
        h, _ = self.rnn(self.emb(ids))
        return self.out(self.pool(h, pad)).squeeze(-1)
