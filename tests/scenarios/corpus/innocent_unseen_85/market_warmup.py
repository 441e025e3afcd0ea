# gradwatch-corpus: kind=none
"""Order-book imbalance model with a long warm-up of its moving statistics.

The scale of the loss comes from the last 180 losses (as numbers); the
report shows the same window with its own mean and drawdown.
"""
from collections import OrderedDict, deque

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(1929)

LEVELS, HISTORY, STEPS = 5, 180, 700


def book(n):
    """Bid and ask volumes, and the move of the mid price afterwards."""
    vol = torch.distributions.Gamma(2.0, 1.0).sample((n, 2 * LEVELS))
    decay = torch.exp(-torch.arange(LEVELS) / 2.0)
    imbalance = ((vol[:, :LEVELS] - vol[:, LEVELS:]) * decay).sum(1)
    move = torch.tanh(0.4 * imbalance) + 0.5 * torch.distributions.StudentT(4.0).sample((n,))
    return vol.log1p(), move


class RecentDict(OrderedDict):
    """Keeps the newest `limit` keys."""

    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def __setitem__(self, key, value):
        super().__setitem__(key, value)
        while len(self) > self.limit:
            self.popitem(last=False)


class Desk:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(2 * LEVELS, 20), nn.Hardswish(), nn.Linear(20, 2))
        self.opt = torch.optim.Adagrad(self.net.parameters(), lr=0.05)
        self.window = deque(maxlen=HISTORY)
        self.pnl = RecentDict(limit=HISTORY // 2)
        self.equity = []
        self.report = None

    def quote(self, x):
        mu, raw = self.net(x).unbind(1)
        return mu, nn.functional.softplus(raw) + 1e-2

    def trade(self, step):
        x, move = book(32)
        mu, scale = self.quote(x)
        nll = ((move - mu).abs() / scale + scale.log()).mean()
        typical = sum(float(l) for l in list(self.window)[-20:]) / max(1, min(20, len(self.window)))
        loss = nll / (1 + abs(typical))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.window.append(nll)
        self.pnl[step] = (mu.sign() * move - 0.05 * mu.abs() / scale).mean()
        self.equity.append(self.pnl[step].detach())

    def make_report(self):
        losses = torch.stack(list(self.window))
        curve = torch.cumsum(torch.stack(list(self.pnl.values())), 0)
        drawdown = (torch.cummax(curve, 0).values - curve).max()
        self.report = {"nll": losses.mean(), "trend": losses[-30:].mean() - losses[:30].mean(),
                       "pnl": curve[-1], "drawdown": drawdown}


desk = Desk()
for step in range(STEPS):
    desk.trade(step)
    if step >= 99 and step % 100 == 99:
        desk.make_report()
        print(step + 1, " ".join(f"{k} {v.item():+.3f}" for k, v in desk.report.items()),
              f"equity {torch.stack(desk.equity).sum():.2f}")
