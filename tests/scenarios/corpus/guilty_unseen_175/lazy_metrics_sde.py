# gradwatch-corpus: kind=graph-held
# holder: self.pending | report.pending
# first-bad: 1
"""Fit a neural SDE to Ornstein-Uhlenbeck-like paths by matching the transition density."""
import json
import math
import sys

import torch
from torch import nn


class NeuralSDE(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.drift = nn.Sequential(nn.Linear(1, width), nn.Softplus(), nn.Linear(width, 1))
        self.diffusion = nn.Sequential(nn.Linear(1, width), nn.Softplus(), nn.Linear(width, 1), nn.Softplus())

    def log_density(self, x, x_next, dt):
        mean = x + dt * self.drift(x)
        std = (self.diffusion(x) + 1e-3) * math.sqrt(dt)
        return torch.distributions.Normal(mean, std).log_prob(x_next)


class Report:
    """Metrics are formatted only when the report is rendered at the end of the run."""

    def __init__(self):
        self.pending = []

    def track(self, name, step, value):
        self.pending.append(lambda: {"name": name, "step": step, "value": float(value)})  # <- culprit

    def render(self, out, stride=100):
        for make in self.pending:
            row = make()
            if row["step"] % stride == 0:
                out.write(json.dumps(row) + "\n")


def simulate_paths(n, length, dt, gen):
    x = torch.randn(n, 1, generator=gen)
    path = [x]
    for _ in range(length):
        dw = math.sqrt(dt) * torch.randn(n, 1, generator=gen)
        x = x + dt * 1.5 * (0.5 - x) + (0.2 + 0.1 * x.abs()) * dw
        path.append(x)
    return torch.stack(path)


def transitions(paths, batch, gen):
    T, N, _ = paths.shape
    while True:
        t = torch.randint(T - 1, (batch,), generator=gen)
        n = torch.randint(N, (batch,), generator=gen)
        yield paths[t, n], paths[t + 1, n]


def train(steps=450, dt=0.05):
    gen = torch.Generator().manual_seed(17)
    torch.manual_seed(17)
    paths = simulate_paths(40, 60, dt, gen)
    model = NeuralSDE()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    report = Report()
    for step, (x, x_next) in enumerate(transitions(paths, 64, gen)):
        if step == steps:
            break
        nll = -model.log_density(x, x_next, dt).mean()
        opt.zero_grad()
        nll.backward()
        opt.step()
        report.track("nll", step, nll)
    report.render(sys.stdout)


if __name__ == "__main__":
    train()
