# gradwatch-corpus: kind=none
"""Stateful GRU forecaster for tidal gauges: truncated windows, and a log whose values are read in groups of 25."""
import math
import random

import torch
import torch.nn as nn


class DeferredLog:
    def __init__(self, every=25):
        self.every = every
        self.waiting = []
        self.means = {}

    def defer(self, tag, fn):
        self.waiting.append((tag, fn))

    def tick(self, step):
        if (step + 1) % self.every:
            return
        sums = {}
        for tag, fn in self.waiting:
            s, n = sums.get(tag, (0.0, 0))
            sums[tag] = (s + fn(), n + 1)
        self.waiting.clear()
        self.means = {tag: s / n for tag, (s, n) in sums.items()}


class Gauges:
    """Several gauges, each with its own mix of tidal constituents, read as an endless stream."""

    def __init__(self, n, seed):
        rng = random.Random(seed)
        self.parts = [[(rng.uniform(0.3, 1.0), 2 * math.pi / rng.uniform(9, 28), rng.uniform(0, 6.28)) for _ in range(3)]
                      for _ in range(n)]
        self.gen = torch.Generator().manual_seed(seed)
        self.clock = 0

    def window(self, length):
        t = torch.arange(self.clock, self.clock + length + 1).float()
        rows = [sum(a * torch.sin(w * t + p) for a, w, p in parts) for parts in self.parts]
        level = torch.stack(rows)
        level = level + 0.05 * torch.randn(level.shape, generator=self.gen)
        self.clock += length
        return level[:, :-1].unsqueeze(-1), level[:, 1:]


class Forecaster(nn.Module):
    def __init__(self, gauges, hidden=24):
        super().__init__()
        self.init_logits = nn.Parameter(torch.zeros(1, gauges, hidden))
        self.cell = nn.GRU(1, hidden, batch_first=True)
        self.read = nn.Linear(hidden, 1)
        self.state = None

    def forget(self):
        self.state = None

    def forward(self, x):
        start = torch.tanh(self.init_logits) if self.state is None else self.state
        y, self.state = self.cell(x, start)
        return self.read(y).squeeze(-1)

    def cut(self):
        self.state = self.state.detach_()


def storm(step, period=170):
    return step % period == period - 1


def main(steps=2200):
    torch.manual_seed(60)
    gauges = Gauges(10, seed=61)
    model = Forecaster(10)
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    log = DeferredLog()
    for step in range(steps):
        x, y = gauges.window(12)
        pred = model(x)
        loss = nn.functional.mse_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        model.cut()
        if storm(step):
            model.forget()
        log.defer("mse", lambda v=loss: v.item())
        log.defer("norm", lambda v=norm: v.item())
        log.defer("bias", lambda p=pred, t=y: (p - t).mean().item())
        log.tick(step)
        if step % 250 == 249:
            print(f"step {step + 1:5d} " + " ".join(f"{k} {v:+.4f}" for k, v in log.means.items()))


if __name__ == "__main__":
    main()
