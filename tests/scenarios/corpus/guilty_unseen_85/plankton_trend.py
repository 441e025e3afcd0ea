# gradwatch-corpus: kind=graph-held
# holder: digest.trend | self.trend | watchers[0].trend | self.watchers[0].trend | loop.watchers[0].trend | w.trend | digest | digest.block
# first-bad: 4
# notice: 8
"""Counting plankton in flow-camera strips; a Poisson regression.

Losses are digested in blocks of four batches; a block is thrown away when it
has been digested.
"""
import math

import torch
from torch import nn, optim

torch.set_num_threads(1)
torch.manual_seed(77)

BLOCK = 4
N_BATCHES = 420


def strips(n, width=40):
    """1-d brightness strips with a random number of blobs in them."""
    count = torch.poisson(torch.full((n,), 3.0))
    grid = torch.arange(width).float()
    x = 0.05 * torch.randn(n, width)
    for i in range(n):
        for _ in range(int(count[i])):
            at, size = torch.rand(()) * width, 0.7 + torch.rand(())
            x[i] += torch.exp(-((grid - at) / size) ** 2)
    return x.unsqueeze(1), count


class Watcher:
    def on_batch(self, i, loss):
        pass

    def on_print(self, i):
        return ""


class Digest(Watcher):
    """Mean of each block, with a slowly forgetting trend over the blocks."""

    def __init__(self, forget=0.7):
        self.forget = forget
        self.block = []
        self.best = None
        self.trend = None

    def on_batch(self, i, loss):
        self.block.append(loss)  # <- culprit
        if len(self.block) < BLOCK:
            return
        stack = torch.stack(self.block)  # <- culprit
        self.block = []
        mean = stack.mean()  # <- culprit
        if self.trend is None:
            self.trend = mean
        else:
            self.trend = self.forget * self.trend + (1 - self.forget) * mean  # <- culprit
        if self.best is None or mean.item() < self.best:
            self.best = mean.item()

    def on_print(self, i):
        return f"trend {float(self.trend):.4f} best block {self.best:.4f}"


class Clock(Watcher):
    def on_print(self, i):
        return f"[{i + 1:4d}/{N_BATCHES}]"


class Loop:
    def __init__(self, watchers):
        self.watchers = watchers
        self.net = nn.Sequential(
            nn.Conv1d(1, 8, 5, padding=2), nn.ReLU(),
            nn.Conv1d(8, 8, 5, padding=2), nn.ReLU(),
            nn.AdaptiveAvgPool1d(4), nn.Flatten(), nn.Linear(32, 1))
        self.opt = optim.RMSprop(self.net.parameters(), lr=1e-3)
        self.criterion = nn.PoissonNLLLoss(log_input=True)

    def fit(self, x, y):
        for i in range(N_BATCHES):
            for g in self.opt.param_groups:
                g["lr"] = 1e-3 * 0.5 * (1 + math.cos(math.pi * i / N_BATCHES))
            pick = torch.randint(0, len(x), (24,))
            loss = self.criterion(self.net(x[pick]).squeeze(1), y[pick])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            for w in self.watchers:
                w.on_batch(i, loss)  # <- culprit
            if (i + 1) % 70 == 0:
                print(" ".join(w.on_print(i) for w in reversed(self.watchers)))


if __name__ == "__main__":
    digest = Digest()
    loop = Loop(watchers=[digest, Clock()])
    loop.fit(*strips(500))
