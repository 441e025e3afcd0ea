# gradwatch-corpus: kind=graph-held
# holder: self.best | peak.best | m.best | metric.best | panel.metrics["peak_err"].best | self.metrics["peak_err"].best | self.metrics[name].best
# first-bad: 1
# notice: 8
"""Tide-gauge regression with a small metric panel."""
import math
from typing import Dict, Type

import torch
from torch import nn

METRICS: Dict[str, Type["Metric"]] = {}


def metric(kind):
    def wrap(cls):
        METRICS[kind] = cls
        return cls
    return wrap


class Metric:
    def __init__(self):
        self.reset()

    def reset(self):
        raise NotImplementedError

    def update(self, value):
        raise NotImplementedError

    def result(self):
        raise NotImplementedError


@metric("mean")
class Mean(Metric):
    def reset(self):
        self.total = 0.0
        self.count = 0

    def update(self, value):
        self.total = self.total + float(value.detach().mean())
        self.count += 1

    def result(self):
        return self.total / max(self.count, 1)


@metric("smooth")
class Smooth(Metric):
    """Bias-corrected running average per channel."""

    def reset(self):
        self.avg = None
        self.steps = 0

    @torch.no_grad()
    def update(self, value):
        if self.avg is None:
            self.avg = torch.zeros_like(value)
        self.avg = 0.95 * self.avg + 0.05 * value
        self.steps += 1

    def result(self):
        return (self.avg / (1 - 0.95 ** self.steps)).mean().item()


@metric("peak")
class Peak(Metric):
    """Largest value ever seen, per channel."""

    def reset(self):
        self.best = torch.tensor(-math.inf)

    def update(self, value):
        self.best = torch.maximum(self.best, value)  # <- culprit

    def result(self):
        return self.best.max().item()


class Panel:
    def __init__(self, spec: Dict[str, str]):
        self.metrics = {name: METRICS[kind]() for name, kind in spec.items()}
        self.per_epoch = [n for n, kind in spec.items() if kind == "mean"]

    def update(self, **values):
        for name, value in values.items():
            self.metrics[name].update(value)  # <- culprit

    def close_epoch(self):
        row = {n: m.result() for n, m in self.metrics.items()}
        for n in self.per_epoch:
            self.metrics[n].reset()
        return row


class Harmonics(nn.Module):
    def __init__(self, n_freq=6, gauges=4):
        super().__init__()
        self.log_freq = nn.Parameter(torch.linspace(-1.0, 1.0, n_freq))
        self.head = nn.Sequential(nn.Linear(2 * n_freq, 24), nn.ELU(), nn.Linear(24, gauges))

    def forward(self, t):
        phase = t.unsqueeze(-1) * self.log_freq.exp()
        return self.head(torch.cat([phase.sin(), phase.cos()], dim=-1))


def observed(t):
    base = torch.stack([torch.sin(t), torch.sin(0.7 * t + 1), torch.cos(1.9 * t), torch.sin(t) * torch.cos(0.4 * t)], -1)
    return base + 0.05 * torch.randn_like(base)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    net = Harmonics()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    panel = Panel({"loss": "mean", "drift": "smooth", "peak_err": "peak"})
    for epoch in range(5):
        for _ in range(30):
            t = 12 * torch.rand(48)
            err = net(t) - observed(t)
            loss = err.square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            panel.update(loss=loss, drift=err.mean(0), peak_err=err.abs().amax(0))  # <- culprit
        print(epoch, {k: round(v, 4) for k, v in panel.close_epoch().items()})


if __name__ == "__main__":
    main()
