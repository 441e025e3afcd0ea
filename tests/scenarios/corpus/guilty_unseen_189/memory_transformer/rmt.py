import torch
from torch import nn
import torch.nn.functional as F


def exists(val):
    return val is not None


class RMSNorm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.scale = dim ** 0.5
        self.gamma = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return F.normalize(x, dim=-1) * self.scale * self.gamma


class FeedForward(nn.Module):
    def __init__(self, dim, mult=2):
        super().__init__()
        self.net = nn.Sequential(RMSNorm(dim), nn.Linear(dim, dim * mult), nn.GELU(),
                                 nn.Linear(dim * mult, dim))

    def forward(self, x):
        return self.net(x)


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.norm = RMSNorm(dim)
        self.to_qkv = nn.Linear(dim, dim * 3, bias=False)
        self.to_out = nn.Linear(dim, dim, bias=False)

    def forward(self, x, mask):
        b, n, d = x.shape
        q, k, v = self.to_qkv(self.norm(x)).chunk(3, -1)
        q, k, v = (t.view(b, n, self.heads, -1).transpose(1, 2) for t in (q, k, v))
        sim = q @ k.transpose(-1, -2) * (d // self.heads) ** -0.5
        attn = sim.masked_fill(~mask, -torch.finfo(sim.dtype).max).softmax(-1)
        return self.to_out((attn @ v).transpose(1, 2).reshape(b, n, d))


class RecurrentMemoryTransformer(nn.Module):
    """Segments are read between memory tokens taken from, and written for, their neighbours."""

    def __init__(self, num_tokens, *, dim, depth, heads, num_memory_tokens, seq_len):
        super().__init__()
        self.m = num_memory_tokens
        self.token_emb = nn.Embedding(num_tokens, dim)
        self.pos_emb = nn.Embedding(seq_len, dim)
        self.memory_tokens = nn.Parameter(torch.randn(num_memory_tokens, dim) * 0.02)
        self.read_emb = nn.Parameter(torch.randn(dim) * 0.02)
        self.layers = nn.ModuleList(
            nn.ModuleList([Attention(dim, heads), FeedForward(dim)]) for _ in range(depth))
        self.norm = RMSNorm(dim)
        self.to_logits = nn.Linear(dim, num_tokens)

    def build_mask(self, n):
        total = n + 2 * self.m
        mask = torch.ones(total, total, dtype=torch.bool).tril()
        mask[:self.m, :self.m] = True
        mask[-self.m:, -self.m:] = True
        return mask

    def forward(self, x, memories=None):
        b, n = x.shape
        write = self.memory_tokens.expand(b, -1, -1)
        read = memories + self.read_emb if exists(memories) else write
        h = torch.cat([read, self.token_emb(x) + self.pos_emb.weight[:n], write], 1)
        mask = self.build_mask(n)
        for attn, ff in self.layers:
            h = h + attn(h, mask)
            h = h + ff(h)
        h = self.norm(h)
        return self.to_logits(h[:, self.m:self.m + n]), h[:, -self.m:]
