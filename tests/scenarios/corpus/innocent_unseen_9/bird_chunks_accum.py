# gradwatch-corpus: kind=none
# about: 20 micro-batches' embeddings keep their graphs until one single backward and one optimizer step; nothing survives the step
"""Bird-song embedding with a big effective batch: embeddings of many small chunks are gathered before one contrastive loss is taken."""
import itertools
import time
from collections import namedtuple
from functools import partial

import torch
from torch import nn
import torch.nn.functional as F

Chunk = namedtuple("Chunk", "left right")
GATHER = 20


def songs(seed, per_chunk=4, length=256):
    g = torch.Generator().manual_seed(seed)
    t = torch.linspace(0, 1, length)
    while True:
        f = torch.rand(per_chunk, 1, generator=g) * 60 + 8
        sweep = torch.randn(per_chunk, 1, generator=g) * 30

        def view():
            ph = torch.rand(per_chunk, 1, generator=g) * 6.28
            clean = torch.sin(6.28 * (f * t + sweep * t * t / 2) + ph)
            return (clean + 0.3 * torch.randn(per_chunk, length, generator=g)).unsqueeze(1)
        yield Chunk(view(), view())


class Encoder(nn.Module):
    def __init__(self, width, out):
        super().__init__()
        conv = partial(nn.Conv1d, kernel_size=9, stride=4, padding=4)
        self.net = nn.Sequential(conv(1, width), nn.GELU(), conv(width, width), nn.GELU())
        self.proj = nn.Linear(width, out)

    def forward(self, wav):
        return F.normalize(self.proj(self.net(wav).abs().mean(-1)), dim=-1)


class Gatherer:
    def __init__(self, enc, opt, temp=0.1):
        self.enc, self.opt, self.temp = enc, opt, temp
        self.lefts, self.rights = [], []

    def feed(self, chunk):
        left, right = self.enc(torch.cat(chunk)).chunk(2)
        self.lefts.append(left)
        self.rights.append(right)
        return len(self.lefts) >= GATHER

    def settle(self):
        a, b = torch.cat(self.lefts), torch.cat(self.rights)
        sim = a @ b.T / self.temp
        lab = torch.arange(len(a))
        nce = (F.cross_entropy(sim, lab) + F.cross_entropy(sim.T, lab)) / 2
        nce.backward()
        self.opt.step()
        self.opt.zero_grad()
        self.lefts.clear()
        self.rights.clear()
        return nce.item(), (sim.argmax(1) == lab).float().mean().item()


def main(updates=170):
    torch.manual_seed(8)
    enc = Encoder(16, 24)
    gath = Gatherer(enc, torch.optim.Adam(enc.parameters(), lr=3e-3))
    tic, done, curve = time.time(), 0, []
    for chunk in songs(8):
        if not gath.feed(chunk):
            continue
        curve.append(gath.settle())
        done += 1
        if done % 34 == 0:
            print(f"{done:4d} nce {curve[-1][0]:.3f} top1 {curve[-1][1]:.3f} best {max(c[1] for c in curve):.3f} {time.time() - tic:.1f}s")
        if done == updates:
            break


main()
