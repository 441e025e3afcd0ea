import torch
from torch import nn
from torch.nn import functional as F

from masks import block_mask


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x, segments):
        b, t, d = x.shape
        q, k, v = (p.view(b, t, self.heads, -1).transpose(1, 2) for p in self.qkv(x).chunk(3, -1))
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=block_mask(segments))  # <- culprit
        return self.out(y.transpose(1, 2).reshape(b, t, d))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.att = Attention(width, heads)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, x, segments):
        x = x + self.att(self.n1(x), segments)
        return x + self.mlp(self.n2(x))


class PackedLM(nn.Module):
    def __init__(self, vocab, width, heads, depth, length):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.pos = nn.Parameter(torch.randn(length, width) * 0.02)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(width)

    def forward(self, tokens, segments):
        x = self.emb(tokens) + self.pos[: tokens.shape[1]]
        for block in self.blocks:
            x = block(x, segments)
        return self.norm(x) @ self.emb.weight.t()
