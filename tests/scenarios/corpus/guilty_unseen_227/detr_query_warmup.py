# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
"""Set prediction with learned queries; weak attention weights are pruned after warmup."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class PrunedAttention(nn.Module):
    def __init__(self, dim, heads, floor):
        super().__init__()
        self.heads = heads
        self.floor = floor
        self.q = nn.Linear(dim, dim)
        self.kv = nn.Linear(dim, 2 * dim)
        self.o = nn.Linear(dim, dim)
        self.prune = False

    def split(self, x):
        b, n, d = x.shape
        return x.view(b, n, self.heads, d // self.heads).transpose(1, 2)

    def forward(self, query, memory):
        q = self.split(self.q(query))
        k, v = self.kv(memory).chunk(2, dim=-1)
        k = self.split(k)
        v = self.split(v)
        w = (q @ k.transpose(-1, -2) / q.size(-1) ** 0.5).softmax(-1)
        if self.prune:
            w.masked_fill_(w < self.floor, 0.0)  # <- culprit
        out = (w @ v).transpose(1, 2).flatten(2)
        return self.o(out)


class SetPredictor(nn.Module):
    def __init__(self, n_queries=4, dim=32):
        super().__init__()
        self.embed = nn.Linear(3, dim)
        self.queries = nn.Parameter(torch.randn(n_queries, dim))
        self.att = PrunedAttention(dim, heads=4, floor=0.02)
        self.norm = nn.LayerNorm(dim)
        self.head = nn.Linear(dim, 2)

    def forward(self, points):
        mem = self.embed(points)
        q = self.queries.expand(points.size(0), -1, -1)
        q = self.norm(q + self.att(q, mem))
        return self.head(q)


def chamfer(a, b):
    d = torch.cdist(a, b)
    return d.min(1).values.mean() + d.min(2).values.mean()


def clouds(n, k=4, per=8):
    centres = torch.rand(n, k, 2) * 4 - 2
    pts = centres.repeat_interleave(per, dim=1) + 0.1 * torch.randn(n, k * per, 2)
    mass = torch.rand(n, k * per, 1)
    return torch.cat([pts, mass], dim=-1), centres


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--warmup", type=int, default=20)
    args = ap.parse_args()
    torch.manual_seed(9)
    model = SetPredictor()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for step in range(args.steps):
        model.att.prune = step >= args.warmup
        pts, centres = clouds(24)
        loss = chamfer(model(pts), centres)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 10 == 0:
            print(f"step={step} chamfer={loss.item():.4f}")


if __name__ == "__main__":
    main()
