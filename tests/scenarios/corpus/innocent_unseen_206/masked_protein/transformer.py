import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.att = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.att_map = None

    def forward(self, x):
        y = self.n1(x)
        out, weights = self.att(y, y, y)
        self.att_map = weights.detach()
        x = x + out
        return x + self.ff(self.n2(x))


class TinyProtein(nn.Module):
    def __init__(self, vocab=21, dim=24, depth=2, length=24):
        super().__init__()
        self.tok = nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(0.02 * torch.randn(length, dim))
        self.layers = nn.ModuleList(Block(dim) for _ in range(depth))
        self.out = nn.Linear(dim, 20)

    def forward(self, tokens):
        x = self.tok(tokens) + self.pos
        for layer in self.layers:
            x = layer(x)
        return self.out(x)
