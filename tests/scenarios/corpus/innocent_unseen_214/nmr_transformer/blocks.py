import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.att = nn.MultiheadAttention(d, heads, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        h = self.n1(x)
        x = x + self.att(h, h, h, need_weights=False)[0]
        return x + self.ff(self.n2(x))


class SpectrumNet(nn.Module):
    def __init__(self, n_out, d=32, depth=3, patch=8, points=256, save_memory=True):
        super().__init__()
        self.patch = patch
        self.inp = nn.Linear(patch, d)
        self.pos = nn.Parameter(0.02 * torch.randn(1, points // patch, d))
        self.blocks = nn.ModuleList(Block(d, 4) for _ in range(depth))
        self.out = nn.Linear(d, n_out)
        self.save_memory = save_memory

    def forward(self, x):
        h = self.inp(x.unfold(1, self.patch, self.patch)) + self.pos
        for b in self.blocks:
            if self.save_memory and self.training:
                h = checkpoint(b, h, use_reentrant=False)
            else:
                h = b(h)
        return self.out(h.mean(1))
