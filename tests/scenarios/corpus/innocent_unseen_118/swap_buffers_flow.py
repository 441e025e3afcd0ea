# gradwatch-corpus: kind=none
"""Coupling-flow density model on rings.

Two buffers of (z, logdet) are kept. The trainer fills one of them while the diagnostics read
the other; every eight updates they change places and the one to be filled next is emptied."""
import math

import torch
from torch import nn


class Coupling(nn.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip = flip
        self.net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 2))

    def forward(self, x):
        a, b = x.chunk(2, 1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, 1)
        s = torch.tanh(s)
        b = b * s.exp() + t
        return torch.cat([b, a] if self.flip else [a, b], 1), s.squeeze(1)


class Flow(nn.Module):
    def __init__(self, depth=4):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(bool(i % 2)) for i in range(depth))

    def forward(self, x):
        logdet = x.new_zeros(len(x))
        for layer in self.layers:
            x, s = layer(x)
            logdet = logdet + s
        return x, logdet


class DoubleBuffer:
    def __init__(self, size):
        self.size = size
        self.filling, self.readable = [], []

    def put(self, item):
        self.filling.append(item)
        if len(self.filling) >= self.size:
            self.filling, self.readable = self.readable, self.filling
            self.filling.clear()

    def moments(self):
        if not self.readable:
            return None
        z = torch.cat([z for z, _ in self.readable])
        return z.mean().item(), z.std().item(), torch.cat([d for _, d in self.readable]).mean().item()


def rings(n):
    theta = torch.rand(n) * 2 * math.pi
    r = torch.where(torch.rand(n) < 0.5, 1.0, 2.0) + 0.06 * torch.randn(n)
    return torch.stack([r * theta.cos(), r * theta.sin()], 1)


def main():
    torch.manual_seed(77)
    torch.set_num_threads(1)
    flow, buf = Flow(), DoubleBuffer(8)
    opt = torch.optim.Adam(flow.parameters(), lr=3e-3)
    nll_curve = torch.empty(0)
    for it in range(360):
        z, logdet = flow(rings(64))
        nll = (0.5 * z.pow(2).sum(1) + math.log(2 * math.pi) - logdet).mean()
        opt.zero_grad()
        nll.backward()
        opt.step()
        buf.put((z, logdet))
        nll_curve = torch.cat([nll_curve, nll.detach().view(1)])
        if it % 72 == 71:
            m = buf.moments()
            print(f"it {it + 1} nll {nll_curve[-72:].mean():.4f} z-mean {m[0]:+.3f} z-std {m[1]:.3f} logdet {m[2]:+.3f}")


main()
