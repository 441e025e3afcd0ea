# gradwatch-corpus: kind=second-backward
# holder: self._cache | step._cache | self._cache[1] | self._cache[0] | flow.steps[4]._cache | flow.steps[2]._cache | flow.steps[0]._cache
# first-bad: 1
"""Normalizing flow with invertible linear mixing between affine couplings."""
import math
from operator import attrgetter

import torch
from torch import nn

torch.set_num_threads(1)


class LinearMix(nn.Module):
    """LU parametrised mixing matrix; the product is built on demand."""

    def __init__(self, d):
        super().__init__()
        self.lower = nn.Parameter(torch.zeros(d, d))
        self.upper = nn.Parameter(torch.zeros(d, d))
        self.log_s = nn.Parameter(torch.zeros(d))
        self._cache = None

    @property
    def matrix(self):
        if self._cache is None:  # <- culprit
            low = torch.tril(self.lower, -1) + torch.eye(len(self.log_s))
            up = torch.triu(self.upper, 1) + torch.diag(self.log_s.exp())
            self._cache = (low @ up, self.log_s.sum())  # <- culprit
        return self._cache  # <- culprit

    def train(self, mode=True):
        self._cache = None
        return super().train(mode)

    def forward(self, x):
        w, logdet = self.matrix
        return x @ w.t(), logdet


class Coupling(nn.Module):
    def __init__(self, d, flip, width=24):
        super().__init__()
        self.flip, self.half = flip, d // 2
        self.net = nn.Sequential(nn.Linear(d - self.half, width), nn.Tanh(), nn.Linear(width, 2 * self.half))

    def forward(self, x):
        if self.flip:
            x = x.flip(1)
        a, b = x[:, :self.half], x[:, self.half:]
        s, t = self.net(b).chunk(2, 1)
        s = torch.tanh(s)
        return torch.cat([a * s.exp() + t, b], 1), s.sum(1)


class Flow(nn.Module):
    def __init__(self, d=4, blocks=3):
        super().__init__()
        self.steps = nn.ModuleList()
        for i in range(blocks):
            self.steps.extend([LinearMix(d), Coupling(d, bool(i % 2))])

    def log_prob(self, x):
        total = 0.0
        for step in self.steps:
            x, ld = step(x)
            total = total + ld
        return total - 0.5 * (x.square() + math.log(2 * math.pi)).sum(1)


def samples(n):
    r = 2 + 0.2 * torch.randn(n)
    a = 2 * math.pi * torch.rand(n)
    ring = torch.stack([r * a.cos(), r * a.sin()], 1)
    return torch.cat([ring, ring.flip(1) * 0.3 + 0.1 * torch.randn(n, 2)], 1)


def main(epochs=4, per_epoch=30):
    torch.manual_seed(12)
    flow = Flow()
    opt = torch.optim.Adam(flow.parameters(), lr=2e-3)
    lr_of = attrgetter("param_groups")
    for epoch in range(epochs):
        flow.train()
        running = 0.0
        for _ in range(per_epoch):
            nll = -flow.log_prob(samples(128)).mean()
            opt.zero_grad()
            nll.backward()  # <- culprit
            opt.step()
            running += nll.item()
        flow.eval()
        with torch.no_grad():
            val = -flow.log_prob(samples(512)).mean().item()
        print(f"epoch {epoch} nll {running / per_epoch:.3f} val {val:.3f} lr {lr_of(opt)[0]['lr']}")


if __name__ == "__main__":
    main()
