import torch
import torch.nn as nn


class AttentionProbs(nn.Module):
    """Own module so that hooks can see the map."""

    def forward(self, q, k):
        return (q @ k.transpose(-1, -2) / q.size(-1) ** 0.5).softmax(dim=-1)


class SelfAttention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(d, 3 * d)
        self.probs = AttentionProbs()
        self.proj = nn.Linear(d, d)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        attn = self.probs(q, k)
        ctx = (attn @ v).transpose(1, 2).reshape(b, n, d)
        return x + self.proj(ctx)


class SetClassifier(nn.Module):
    def __init__(self, d_in=6, d=24, heads=3, depth=2):
        super().__init__()
        self.inp = nn.Linear(d_in, d)
        self.blocks = nn.ModuleList(SelfAttention(d, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, 2)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        for blk in self.blocks:
            h = blk(h)
        return self.head(self.norm(h).amax(dim=1))
