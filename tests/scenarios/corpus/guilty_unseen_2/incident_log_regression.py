# gradwatch-corpus: kind=graph-held
# holder: self.incidents | guard.incidents | err | exc
# first-bad: 1
"""Robust regression with a guard that notes every batch whose residuals are out of range."""
import torch
from torch import nn


class OutOfRange(ValueError):
    def __init__(self, step, frac):
        super().__init__(f"step {step}: {frac:.1%} of residuals above limit")
        self.step = step


class Guard:
    def __init__(self, limit):
        self.limit = limit
        self.incidents = []

    def check(self, step, residual):
        big = (residual.abs() > self.limit)
        frac = big.float().mean().item()
        if frac > 0.02:
            raise OutOfRange(step, frac)

    def inspect(self, step, residual):
        try:
            self.check(step, residual)
        except OutOfRange as err:
            self.incidents.append(err)  # <- culprit
            return False
        return True


def heavy_tailed(n, d):
    x = torch.randn(n, d)
    noise = torch.distributions.StudentT(1.5).sample((n,))
    return x, x @ torch.linspace(-1, 1, d) + noise


def train():
    torch.manual_seed(8)
    net = nn.Sequential(nn.Linear(6, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, 1))
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    huber = nn.HuberLoss()
    guard = Guard(limit=1.0)
    for step in range(160):
        x, y = heavy_tailed(64, 6)
        pred = net(x).squeeze(-1)
        ok = guard.inspect(step, pred - y)
        loss = huber(pred, y) * (1.0 if ok else 0.5)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 40 == 0:
            print(step, f"{loss.item():.4f}", "incidents:", len(guard.incidents))
    print(guard.incidents[-1])


train()
