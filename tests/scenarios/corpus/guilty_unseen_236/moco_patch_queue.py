# gradwatch-corpus: kind=graph-held
# holder: self.queue | model.queue
# first-bad: 1
"""Momentum contrast on synthetic textures; conv encoder, FIFO of key batches."""
import argparse
import copy
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


def build_parser():
    ap = argparse.ArgumentParser()
    ap.add_argument("--dim", default=32, type=int)
    ap.add_argument("--queue_batches", default=256, type=int)
    ap.add_argument("--m", default=0.99, type=float)
    ap.add_argument("--tau", default=0.1, type=float)
    ap.add_argument("--bs", default=24, type=int)
    ap.add_argument("--iters", default=90, type=int)
    ap.add_argument("--lr", default=0.03, type=float)
    ap.add_argument("--wd", default=1e-4, type=float)
    return ap


class Encoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(1, 12, 3, stride=2, padding=1),
            nn.GroupNorm(3, 12),
            nn.ReLU(),
            nn.Conv2d(12, 24, 3, stride=2, padding=1),
            nn.GroupNorm(3, 24),
            nn.ReLU(),
        )
        self.proj = nn.Sequential(nn.Linear(24, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, x):
        f = self.stem(x).mean(dim=(2, 3))
        return F.normalize(self.proj(f), dim=-1)


class MoCo(nn.Module):
    def __init__(self, dim, queue_batches, m, tau):
        super().__init__()
        self.m = m
        self.tau = tau
        self.enc_q = Encoder(dim)
        self.enc_k = copy.deepcopy(self.enc_q)
        self.queue = deque(maxlen=queue_batches)
        self.queue.append(F.normalize(torch.randn(64, dim), dim=-1))

    @torch.no_grad()
    def momentum_update(self):
        for pq, pk in zip(self.enc_q.parameters(), self.enc_k.parameters()):
            pk.lerp_(pq, 1.0 - self.m)

    def negatives(self):
        return torch.cat([k.detach() for k in self.queue], dim=0)

    def forward(self, im_q, im_k):
        q = self.enc_q(im_q)
        self.momentum_update()
        k = self.enc_k(im_k)  # <- culprit
        pos = torch.einsum("nc,nc->n", q, k.detach()).unsqueeze(-1)
        neg = torch.einsum("nc,kc->nk", q, self.negatives())
        logits = torch.cat([pos, neg], dim=1) / self.tau
        self.queue.append(k)  # <- culprit
        return logits


class TextureSource:
    def __init__(self, size=20):
        grid = torch.arange(size).float() / size
        self.yy, self.xx = torch.meshgrid(grid, grid, indexing="ij")

    def batch(self, n):
        freq = 2.0 + 10.0 * torch.rand(n, 1, 1)
        theta = 3.1416 * torch.rand(n, 1, 1)
        u = self.xx * theta.cos() + self.yy * theta.sin()
        return torch.sin(6.2832 * freq * u).unsqueeze(1)

    def augment(self, x):
        x = torch.roll(x, shifts=int(torch.randint(0, 8, ())), dims=-1)
        if torch.rand(()) < 0.5:
            x = x.flip(-1)
        return x * (0.8 + 0.4 * torch.rand(x.size(0), 1, 1, 1)) + 0.1 * torch.randn_like(x)


def main(args):
    torch.manual_seed(42)
    model = MoCo(args.dim, args.queue_batches, args.m, args.tau)
    source = TextureSource()
    opt = torch.optim.SGD(model.enc_q.parameters(), lr=args.lr, momentum=0.9, weight_decay=args.wd)
    losses = []
    for it in range(args.iters):
        x = source.batch(args.bs)
        logits = model(source.augment(x), source.augment(x))
        loss = F.cross_entropy(logits, torch.zeros(args.bs, dtype=torch.long))
        opt.zero_grad()
        loss.backward()
        opt.step()
        losses.append(loss.item())
        if (it + 1) % 30 == 0:
            acc = (logits.argmax(1) == 0).float().mean().item()
            print(f"iter {it + 1} loss {sum(losses[-30:]) / 30:.3f} top1 {acc:.2f} negatives {logits.size(1) - 1}")


if __name__ == "__main__":
    main(build_parser().parse_args([]))
