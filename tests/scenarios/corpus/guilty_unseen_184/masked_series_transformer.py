# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import argparse
import math

import torch
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x, observed):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        att = (q @ k.transpose(-2, -1) / math.sqrt(d // self.heads)).softmax(-1)
        att *= observed[:, None, None, :]  # <- culprit
        att = att / att.sum(-1, keepdim=True).clamp(min=1e-6)
        return self.proj((att @ v).transpose(1, 2).reshape(b, t, d))


class Block(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.att = SelfAttention(dim, heads)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x, observed):
        x = x + self.att(self.n1(x), observed)
        return x + self.ff(self.n2(x))


class Imputer(nn.Module):
    def __init__(self, channels, length, dim=32, depth=2, heads=4):
        super().__init__()
        self.inp = nn.Linear(channels, dim)
        self.pos = nn.Parameter(0.02 * torch.randn(length, dim))
        self.blocks = nn.ModuleList(Block(dim, heads) for _ in range(depth))
        self.out = nn.Linear(dim, channels)

    def forward(self, x, observed):
        h = self.inp(x * observed[..., None]) + self.pos
        for blk in self.blocks:
            h = blk(h, observed)
        return self.out(h)


def waves(n, length, channels, gen):
    t = torch.linspace(0, 1, length)
    freq = 1 + 3 * torch.rand(n, 1, channels, generator=gen)
    phase = 6.28 * torch.rand(n, 1, channels, generator=gen)
    return torch.sin(2 * math.pi * freq * t[None, :, None] + phase)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=500)
    ap.add_argument("--missing", type=float, default=0.3)
    ap.add_argument("--lr", type=float, default=1e-3)
    args = ap.parse_args()
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(5)
    model = Imputer(channels=3, length=24)
    opt = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for it in range(args.iters):
        x = waves(16, 24, 3, gen)
        observed = (torch.rand(16, 24, generator=gen) > args.missing).float()
        err = (model(x, observed) - x).pow(2).mean(-1)
        hidden = 1 - observed
        loss = (err * hidden).sum() / hidden.sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            print(f"iter {it} masked mse {loss.item():.4f}")


if __name__ == "__main__":
    main()
