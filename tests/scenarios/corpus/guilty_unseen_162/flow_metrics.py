# gradwatch-corpus: kind=graph-held
# holder: self.acc | metric.acc | acc | self.metrics["bpd"].acc | exp.metrics["bpd"].acc | self.metrics
# first-bad: 1
"""Affine coupling flow on a two-dimensional density, metrics in the torchmetrics manner."""
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(33)


class Metric:
    def __init__(self):
        self.acc = None
        self.weight = 0

    def prepare(self, value):
        raise NotImplementedError

    def update(self, value, n):
        term = self.prepare(value) * n  # <- culprit
        self.acc = term if self.acc is None else self.acc + term  # <- culprit
        self.weight += n

    def compute(self):
        return float(self.acc) / self.weight


class BitsPerDim(Metric):
    def prepare(self, value):
        return value / math.log(2) / 2  # <- culprit


class GradNorm(Metric):
    def prepare(self, value):
        return value.detach()


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
        out = torch.cat([b, a] if self.flip else [a, b], 1)
        return out, s.sum(1)


class Flow(nn.Module):
    def __init__(self, depth=4):
        super().__init__()
        self.layers = nn.ModuleList(Coupling(i % 2 == 1) for i in range(depth))

    def nll(self, x):
        logdet = 0
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        return (0.5 * x.pow(2).sum(1) + math.log(2 * math.pi) - logdet).mean()


def crescents(n):
    t = torch.rand(n) * math.pi
    return torch.stack([t.cos() * 2, t.sin() * 2 - 1], 1) + 0.15 * torch.randn(n, 2)


class Experiment:
    def __init__(self):
        self.flow = Flow()
        self.opt = torch.optim.Adam(self.flow.parameters(), lr=3e-3)
        self.metrics = {"bpd": BitsPerDim(), "gnorm": GradNorm()}

    def step(self, x):
        loss = self.flow.nll(x)
        self.opt.zero_grad()
        loss.backward()
        g = nn.utils.clip_grad_norm_(self.flow.parameters(), 5.0)
        self.opt.step()
        self.metrics["bpd"].update(loss, len(x))  # <- culprit
        self.metrics["gnorm"].update(g, len(x))

    def report(self, it):
        print(it, {k: round(m.compute(), 4) for k, m in self.metrics.items()})


exp = Experiment()
for it in range(120):
    exp.step(crescents(64))
    if it % 30 == 29:
        exp.report(it)
