# gradwatch-corpus: kind=inplace-modified
# first-bad: 50
"""Attention classifier on bracket strings; the least used head is switched off after warm-up."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class HeadPruner:
    def __init__(self, n_heads, start):
        self.start = start
        self.ticks = 0
        self.usage = torch.zeros(n_heads)
        self.off = set()

    def observe(self, probs):
        sharp = probs.detach().max(-1).values.mean(dim=(0, 2))
        self.usage = 0.9 * self.usage + 0.1 * sharp

    def tick(self):
        self.ticks += 1
        if self.ticks == self.start:
            self.off.add(int(self.usage.argmin()))

    def silence(self, probs):
        for h in self.off:
            probs[:, h] = 0.0  # <- culprit
        return probs


class PrunableAttention(nn.Module):
    def __init__(self, dim, heads, pruner):
        super().__init__()
        self.heads, self.pruner = heads, pruner
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        probs = F.softmax(q @ k.transpose(-1, -2) / math.sqrt(d // self.heads), dim=-1)
        if self.training:
            self.pruner.observe(probs)
        probs = self.pruner.silence(probs)  # <- culprit
        return self.out((probs @ v).transpose(1, 2).reshape(b, n, d))


class BracketNet(nn.Module):
    def __init__(self, pruner, length=10, dim=24, heads=4):
        super().__init__()
        self.tok = nn.Embedding(2, dim)
        self.pos = nn.Parameter(0.1 * torch.randn(length, dim))
        self.norm = nn.LayerNorm(dim)
        self.attn = PrunableAttention(dim, heads, pruner)
        self.cls = nn.Linear(dim, 2)

    def forward(self, s):
        x = self.tok(s) + self.pos
        x = x + self.attn(self.norm(x))
        return self.cls(x.mean(1))


def brackets(batch, length=10):
    s = torch.randint(0, 2, (batch, length))
    depth = (1 - 2 * s).cumsum(1)
    ok = (depth.min(1).values >= -1) & (depth[:, -1].abs() <= 2)
    return s, ok.long()


def train(steps=120, warmup=50):
    torch.manual_seed(0)
    pruner = HeadPruner(n_heads=4, start=warmup)
    net = BracketNet(pruner)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    for step in range(steps):
        s, y = brackets(48)
        logits = net(s)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        pruner.tick()
        if step % 15 == 0:
            acc = (logits.argmax(1) == y).float().mean().item()
            print(f"step {step:3d} loss {loss.item():.3f} acc {acc:.2f} off {sorted(pruner.off)}")
    print("usage", [round(u, 3) for u in pruner.usage.tolist()])


if __name__ == "__main__":
    train()
