import torch
from torch import nn
import torch.nn.functional as F

from relpos import RelativeBias


class RelPosLM(nn.Module):
    def __init__(self, vocab, dim=24, heads=2):
        super().__init__()
        self.heads = heads
        self.emb = nn.Embedding(vocab, dim)
        self.qkv = nn.Linear(dim, 3 * dim)
        self.bias = RelativeBias(heads)
        self.ff = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.out = nn.Linear(dim, vocab)

    def attend(self, h):
        b, n, d = h.shape
        q, k, v = (t.view(b, n, self.heads, -1).transpose(1, 2) for t in self.qkv(h).chunk(3, -1))
        score = q @ k.transpose(-1, -2) / (d // self.heads) ** 0.5 + self.bias(n)
        return (score.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d)

    def forward(self, tokens):
        h = self.emb(tokens)
        h = h + self.attend(h)
        return self.out(h + self.ff(h))

    def loss(self, tokens):
        logits = self(tokens[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
