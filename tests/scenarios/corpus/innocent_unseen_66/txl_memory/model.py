import torch
import torch.nn.functional as F
from torch import nn


class MemoryAttention(nn.Module):
    def __init__(self, dim, heads=4):
        super().__init__()
        self.heads = heads
        self.q, self.kv, self.o = nn.Linear(dim, dim), nn.Linear(dim, 2 * dim), nn.Linear(dim, dim)
        self.slope = nn.Parameter(torch.linspace(0.05, 0.5, heads))

    def forward(self, x, mem):
        ctx = torch.cat([mem, x], dim=1)
        b, t, d = x.shape
        s = ctx.shape[1]
        q = self.q(x).view(b, t, self.heads, -1).transpose(1, 2)
        k, v = self.kv(ctx).view(b, s, self.heads, -1).transpose(1, 2).chunk(2, dim=-1)
        dist = torch.arange(s - t, s)[:, None] - torch.arange(s)[None]
        bias = -self.slope[:, None, None] * dist.clamp_min(0)
        bias = bias.masked_fill(dist < 0, float("-inf"))
        att = F.softmax(q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5 + bias, dim=-1)
        return self.o((att @ v).transpose(1, 2).reshape(b, t, d))


class MemoryLM(nn.Module):
    def __init__(self, vocab, dim, depth, mem_len):
        super().__init__()
        self.mem_len, self.dim = mem_len, dim
        self.emb = nn.Embedding(vocab, dim)
        self.attn = nn.ModuleList(MemoryAttention(dim) for _ in range(depth))
        self.ff = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
            for _ in range(depth))
        self.norm = nn.ModuleList(nn.LayerNorm(dim) for _ in range(depth))
        self.out = nn.Linear(dim, vocab)

    def empty_memory(self, batch):
        return [torch.zeros(batch, 0, self.dim) for _ in self.attn]

    def forward(self, ids, memory):
        h, new = self.emb(ids), []
        for norm, attn, ff, mem in zip(self.norm, self.attn, self.ff, memory):
            n = norm(h)
            new.append(torch.cat([mem, n], dim=1)[:, -self.mem_len:])
            h = h + attn(n, mem)
            h = h + ff(h)
        return self.out(h), new
