# gradwatch-corpus: kind=none
"""Momentum contrast for random graphs: GIN encoder, ring-buffer queue, EMA key encoder."""
import argparse
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

P = argparse.ArgumentParser()
P.add_argument("--nodes", type=int, default=12)
P.add_argument("--feat", type=int, default=6)
P.add_argument("--dim", type=int, default=32)
P.add_argument("--queue", type=int, default=256)
P.add_argument("--batch", type=int, default=32)
P.add_argument("--iters", type=int, default=100)
P.add_argument("--m", type=float, default=0.98)
P.add_argument("--tau", type=float, default=0.2)


class GIN(nn.Module):
    def __init__(self, feat, hidden, dim):
        super().__init__()
        self.eps = nn.Parameter(torch.zeros(2))
        self.l1 = nn.Sequential(nn.Linear(feat, hidden), nn.ReLU(), nn.Linear(hidden, hidden))
        self.l2 = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, hidden))
        self.out = nn.Linear(2 * hidden, dim)

    def forward(self, adj, x):
        h1 = self.l1((1.0 + self.eps[0]) * x + torch.einsum("bij,bjf->bif", adj, x)).relu()
        h2 = self.l2((1.0 + self.eps[1]) * h1 + torch.einsum("bij,bjf->bif", adj, h1)).relu()
        g = torch.cat([h1.sum(1), h2.sum(1)], dim=-1)
        return F.normalize(self.out(g), dim=-1)


class GraphMoCo(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.m = a.m
        self.tau = a.tau
        self.q_net = GIN(a.feat, 32, a.dim)
        self.k_net = copy.deepcopy(self.q_net)
        for p in self.k_net.parameters():
            p.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(a.queue, a.dim), dim=-1))
        self.ptr = 0

    @torch.no_grad()
    def follow(self):
        for p, k in zip(self.q_net.parameters(), self.k_net.parameters()):
            k.copy_(self.m * k + (1.0 - self.m) * p)

    @torch.no_grad()
    def enqueue(self, keys):
        n = keys.size(0)
        slots = (self.ptr + torch.arange(n)) % self.queue.size(0)
        self.queue[slots] = keys
        self.ptr = (self.ptr + n) % self.queue.size(0)

    def forward(self, view_q, view_k):
        q = self.q_net(*view_q)
        with torch.no_grad():
            self.follow()
            k = self.k_net(*view_k)
        pos = torch.einsum("bd,bd->b", q, k)[:, None]
        neg = torch.einsum("bd,kd->bk", q, self.queue.clone())
        self.enqueue(k)
        return torch.cat([pos, neg], dim=1) / self.tau


def random_graphs(n, nodes, feat):
    p = 0.1 + 0.5 * torch.rand(n, 1, 1)
    up = torch.bernoulli(p.expand(n, nodes, nodes)).triu(1)
    adj = up + up.transpose(1, 2)
    x = torch.randn(n, nodes, feat) + torch.randn(n, 1, feat)
    return adj, x


def drop(adj, x, rate=0.15):
    keep = torch.bernoulli(torch.full_like(adj, 1.0 - rate)).triu(1)
    keep = keep + keep.transpose(1, 2)
    mask = torch.bernoulli(torch.full_like(x[..., :1], 1.0 - rate))
    return adj * keep, x * mask


def main():
    a = P.parse_args([])
    torch.manual_seed(19)
    model = GraphMoCo(a)
    opt = torch.optim.AdamW(model.q_net.parameters(), lr=1e-3)
    hist = {"loss": [], "top1": []}
    for it in range(a.iters):
        adj, x = random_graphs(a.batch, a.nodes, a.feat)
        logits = model(drop(adj, x), drop(adj, x))
        loss = F.cross_entropy(logits, torch.zeros(a.batch, dtype=torch.long))
        opt.zero_grad()
        loss.backward()
        opt.step()
        hist["loss"].append(loss.detach())
        hist["top1"].append((logits.argmax(1) == 0).float().mean())
        if (it + 1) % 25 == 0:
            means = {k: torch.stack(v).mean().item() for k, v in hist.items()}
            print(f"iter {it + 1} loss {means['loss']:.3f} top1 {means['top1']:.3f}")
            hist = {k: [] for k in hist}


if __name__ == "__main__":
    main()
