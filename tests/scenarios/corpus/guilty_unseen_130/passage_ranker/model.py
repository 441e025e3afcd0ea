import torch
from torch import nn


class TwinEncoder(nn.Module):
    def __init__(self, vocab, dim=16):
        super().__init__()
        self.words = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.q = nn.Linear(dim, dim)
        self.d = nn.Linear(dim, dim)

    def forward(self, query, docs):
        b, n, length = docs.shape
        q = torch.tanh(self.q(self.words(query)))
        d = torch.tanh(self.d(self.words(docs.reshape(b * n, length)))).view(b, n, -1)
        return torch.einsum("bd,bnd->bn", q, d)
