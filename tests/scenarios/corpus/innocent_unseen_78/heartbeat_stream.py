# gradwatch-corpus: kind=none
"""Stateful recurrent forecaster on an endless heartbeat signal."""
import math
from collections import deque

import torch
from torch import nn


class Peak:
    def __init__(self):
        self.best = torch.tensor(-math.inf)

    @torch.no_grad()
    def update(self, value):
        self.best = torch.maximum(self.best, value)


class LateLog:
    """Keeps small callables and evaluates them when asked."""

    def __init__(self, keep=200):
        self.jobs = deque(maxlen=keep)

    def later(self, name, fn):
        self.jobs.append((name, fn))

    def report(self, last):
        acc = {}
        for name, fn in list(self.jobs)[-last:]:
            acc.setdefault(name, []).append(fn())
        return {k: round(sum(v) / len(v), 4) for k, v in acc.items()}


class Forecaster(nn.Module):
    def __init__(self, leads, hidden):
        super().__init__()
        self.low = nn.GRUCell(leads, hidden)
        self.high = nn.GRUCell(hidden, hidden)
        self.head = nn.Linear(hidden, leads)
        self.hidden = hidden
        self.state = None

    def reset(self, batch):
        self.state = [torch.zeros(batch, self.hidden), torch.zeros(batch, self.hidden)]

    def forward(self, x):
        a = self.low(x, self.state[0])
        b = self.high(a, self.state[1])
        self.state = [a, b]
        return self.head(b)


class Window:
    """Adds up losses until the window is full; its width follows a slow schedule."""

    def __init__(self, net, opt, narrow, wide, every):
        self.net, self.opt = net, opt
        self.width, self.wide, self.every = narrow, wide, every
        self.total, self.n, self.updates = 0.0, 0, 0

    def add(self, loss):
        self.total = self.total + loss
        self.n += 1
        if self.n == self.width:
            self.close()

    def close(self):
        self.opt.zero_grad()
        (self.total / self.n).backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        for s in self.net.state:
            s.detach_()
        self.total, self.n = 0.0, 0
        self.updates += 1
        if self.updates % self.every == 0:
            self.width = min(self.wide, self.width + 1)


def beats(steps, batch, leads):
    phase = 6.283 * torch.rand(batch, 1)
    lead = torch.arange(leads) * 0.4
    rate = 0.25 + 0.1 * torch.rand(batch, 1)
    for t in range(steps):
        wave = torch.sin(rate * t + phase + lead)
        yield wave.pow(3) + 0.02 * torch.randn(batch, leads)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(29)
    net = Forecaster(leads=4, hidden=20)
    net.reset(16)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    window = Window(net, opt, narrow=2, wide=6, every=20)
    peak, log = Peak(), LateLog()
    prev = None
    for t, x in enumerate(beats(800, 16, 4)):
        if prev is not None:
            err = net(prev) - x
            loss = err.square().mean()
            peak.update(err.abs().amax(0))
            log.later("mse", lambda v=loss.detach(): v.item())
            window.add(loss)
        prev = x
        if t % 200 == 199:
            print(t + 1, "width", window.width, log.report(200), "peak", round(peak.best.max().item(), 3))


if __name__ == "__main__":
    main()
