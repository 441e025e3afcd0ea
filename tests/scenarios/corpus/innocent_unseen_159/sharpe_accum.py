# gradwatch-corpus: kind=none
"""Differential Sharpe trading, gradients gathered over five days before each update."""
from dataclasses import dataclass, field, replace

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(44)


@dataclass(frozen=True)
class Moments:
    a: torch.Tensor
    b: torch.Tensor

    def moved(self, r, eta):
        return replace(self, a=self.a + eta * (r - self.a), b=self.b + eta * (r * r - self.b))

    def frozen(self):
        return Moments(*(t.detach() for t in (self.a, self.b)))


@dataclass
class Book:
    eta: float = 0.05
    moments: Moments = field(default_factory=lambda: Moments(torch.tensor(0.0), torch.tensor(0.01)))
    wealth: float = 1.0

    def utility(self, r):
        m = self.moments
        nxt = m.moved(r, self.eta)
        var = (m.b - m.a ** 2).clamp_min(1e-4)
        u = (m.b * (nxt.a - m.a) - 0.5 * m.a * (nxt.b - m.b)) / (self.eta * var ** 1.5)
        self.moments = nxt.frozen()
        self.wealth *= 1 + r.item()
        return u


class Trader(nn.Module):
    def __init__(self, lags=10, assets=4):
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(0), nn.Linear(lags * assets, 24), nn.Tanh())
        self.pos = nn.Linear(24 + assets, assets)
        self.prev = torch.zeros(assets)

    def forward(self, x):
        w = torch.tanh(self.pos(torch.cat([self.body(x), self.prev])))
        cost = 1e-3 * (w - self.prev).abs().sum()
        self.prev = w.detach()
        return w, cost


class Accumulate:
    """Counts calls; true when it is time to step."""

    def __init__(self, opt, every):
        self.opt, self.every, self.n = opt, every, 0

    def tick(self):
        self.n += 1
        if self.n % self.every:
            return False
        self.opt.step()
        self.opt.zero_grad()
        return True


def days(n, lags=10, assets=4):
    x = torch.randn(n + lags + 1, assets) * 0.02
    for t in range(1, len(x)):
        x[t] += 0.3 * x[t - 1]
    for t in range(lags, n + lags):
        yield x[t - lags:t] * 10, x[t]


def main():
    net, book = Trader(), Book()
    acc = Accumulate(torch.optim.Adam(net.parameters(), lr=2e-3), every=5)
    run = 0.0
    for d, (past, ret) in enumerate(days(500)):
        w, cost = net(past)
        u = book.utility((w * ret).mean() - cost)
        (-u / acc.every).backward()
        run += u.item()
        if acc.tick() and acc.n % 100 == 0:
            print(d, f"utility {run / (d + 1):+.4f} wealth {book.wealth:.4f}")


if __name__ == "__main__":
    main()
