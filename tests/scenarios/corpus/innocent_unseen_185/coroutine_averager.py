# gradwatch-corpus: kind=none
"""Tide level regressor monitored through generator-based coroutines."""
import functools
import math

import torch
from torch import nn


def coroutine(fn):
    @functools.wraps(fn)
    def start(*args, **kwargs):
        co = fn(*args, **kwargs)
        next(co)
        return co
    return start


@coroutine
def chunked(size, target):
    chunk = []
    while True:
        chunk.append((yield))
        if len(chunk) == size:
            target.send(chunk)
            chunk = []


@coroutine
def contrast(target):
    before = None
    while True:
        now = yield
        if before is not None:
            a = torch.stack([r.mean() for r in before]).mean()
            b = torch.stack([r.mean() for r in now]).mean()
            target.send((a.item(), b.item()))
        before = now


@coroutine
def printer(every):
    n = 0
    while True:
        a, b = yield
        n += 1
        if n % every == 0:
            print(f"chunk {n}: {a:.4f} -> {b:.4f}")


class TideNet(nn.Module):
    def __init__(self, freqs=12):
        super().__init__()
        self.omega = nn.Parameter(torch.linspace(0.2, 4.0, freqs))
        self.phase = nn.Parameter(torch.zeros(freqs))
        self.head = nn.Sequential(nn.Linear(freqs, 32), nn.SiLU(), nn.Linear(32, 1))

    def forward(self, t):
        return self.head(torch.sin(t[:, None] * self.omega + self.phase)).squeeze(-1)


def gauge(seed, n):
    gen = torch.Generator().manual_seed(seed)
    while True:
        t = torch.rand(n, generator=gen) * 4 * math.pi
        level = torch.sin(t) + 0.5 * torch.sin(1.93 * t + 0.4) + 0.05 * torch.randn(n, generator=gen)
        yield t, level


def main(steps=600):
    torch.manual_seed(61)
    net = TideNet()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    sink = chunked(20, contrast(printer(5)))
    for step, (t, level) in zip(range(steps), gauge(62, 64)):
        residual = (net(t) - level).abs()
        loss = residual.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sink.send(residual)
    sink.close()


if __name__ == "__main__":
    main()
