# gradwatch-corpus: kind=graph-held
# holder: self.totals[name] | meter.totals[name] | self.totals | meter.totals['nll']
# first-bad: 1
"""Poisson regression of fish counts on reef survey covariates."""
import argparse
import time

import torch
from torch import nn


def make_survey(n, d, seed):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, d, generator=g)
    depth = torch.rand(n, 1, generator=g) * 30
    w = torch.randn(d, 3, generator=g) * 0.4
    rate = torch.exp(0.3 * (x @ w) - 0.02 * depth)
    counts = torch.poisson(rate, generator=g)
    return torch.cat([x, depth / 30], dim=1), counts


class ReefNet(nn.Module):
    def __init__(self, d, species=3, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU())
        self.rate = nn.Linear(width, species)
        self.zero = nn.Linear(width, species)

    def forward(self, x):
        h = self.body(x)
        return self.rate(h).clamp(max=6), self.zero(h)


class Meter:
    """Run-long averages of named quantities."""

    def __init__(self):
        self.totals = {}
        self.counts = {}

    def update(self, n=1, **values):
        for name, value in values.items():
            if name not in self.totals:
                self.totals[name] = 0.0
                self.counts[name] = 0
            self.totals[name] = self.totals[name] + value * n  # <- culprit
            self.counts[name] += n

    def mean(self, name):
        return float(self.totals[name]) / max(1, self.counts[name])

    def line(self):
        return "  ".join(f"{k}={self.mean(k):.4f}" for k in sorted(self.totals))


def zip_nll(log_rate, zero_logit, y):
    pois = log_rate.exp() - y * log_rate + torch.lgamma(y + 1)
    log_p0 = nn.functional.logsigmoid(zero_logit)
    log_p1 = nn.functional.logsigmoid(-zero_logit)
    at_zero = torch.logaddexp(log_p0, log_p1 - log_rate.exp())
    ll = torch.where(y == 0, at_zero, log_p1 - pois)
    return -ll.mean()


def batches(x, y, size, steps, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        i = torch.randint(0, len(x), (size,), generator=g)
        yield x[i], y[i]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=450)
    ap.add_argument("--lr", type=float, default=3e-3)
    args = ap.parse_args()
    torch.manual_seed(5)
    x, y = make_survey(1500, 9, 5)
    net = ReefNet(x.shape[1])
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    meter = Meter()
    start = time.time()
    for step, (xb, yb) in enumerate(batches(x, y, 64, args.steps, 11)):
        log_rate, zero = net(xb)
        nll = zip_nll(log_rate, zero, yb)
        spread = zero.pow(2).mean()
        loss = nll + 1e-3 * spread
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.update(n=len(xb), nll=nll)
        if step % 90 == 0:
            print(f"{step:4d} {meter.line()} {time.time() - start:.1f}s")
    print("final", meter.line())


if __name__ == "__main__":
    main()
