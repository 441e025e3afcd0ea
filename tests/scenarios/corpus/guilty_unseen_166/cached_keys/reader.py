import torch
import torch.nn as nn
import torch.nn.functional as F

from caching import per_batch_of_docs


class Reader(nn.Module):
    """Answers a query by attention over a fixed set of encoded documents."""

    def __init__(self, vocab, dim, n_answers, heads=2):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.k = nn.Linear(dim, dim)
        self.v = nn.Linear(dim, dim)
        self.q = nn.Linear(dim, dim)
        self.out = nn.Linear(dim, n_answers)
        self.heads = heads

    def split(self, t):
        return t.view(len(t), self.heads, -1).transpose(0, 1)

    @per_batch_of_docs  # <- culprit
    def keys_values(self, docs):
        e = torch.tanh(self.embed(docs.tokens))
        return self.split(self.k(e)), self.split(self.v(e))

    def forward(self, query, docs):
        k, v = self.keys_values(docs)
        q = self.split(self.q(self.embed(query)))
        att = F.softmax(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5, -1)
        ctx = (att @ v).transpose(0, 1).reshape(len(query), -1)
        return self.out(ctx)
