import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.mlp = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Dropout(0.1), nn.Linear(2 * d, d))
        self.last_in = None

    def forward(self, x):
        q, k, v = self.qkv(self.n1(x)).chunk(3, -1)
        x = x + self.o(F.scaled_dot_product_attention(q, k, v, is_causal=True))
        self.last_in = x
        return x + self.mlp(self.n2(x))


class Stack(nn.Module):
    def __init__(self, vocab, d, depth):
        super().__init__()
        self.tok = nn.Embedding(vocab, d)
        self.pos = nn.Parameter(torch.zeros(16, d))
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.ln = nn.LayerNorm(d)

    def forward(self, ids):
        x = self.tok(ids) + self.pos[: ids.size(1)]
        for b in self.blocks:
            x = checkpoint(b, x, use_reentrant=False)
        return self.ln(x) @ self.tok.weight.t()

    def nll(self, ids):
        return F.cross_entropy(self(ids[:, :-1]).transpose(1, 2), ids[:, 1:])
