# gradwatch-corpus: kind=graph-chain
# holder: self.level | model.level | smoother.level
# first-bad: 1
# notice: 5
"""Weekly demand of a small retail chain.

Every store/product pair has a level which is exponentially smoothed, and the
corrections on top of it (price, holiday, store offset) are fitted by Adam.
"""
import argparse
import math

import torch
from torch import nn

torch.set_num_threads(1)


def demand(weeks, series, gen):
    t = torch.arange(weeks, dtype=torch.float32)[:, None]
    phase = torch.rand(1, series, generator=gen) * 2 * math.pi
    base = 5 + 2 * torch.rand(1, series, generator=gen)
    season = torch.sin(2 * math.pi * t / 52 + phase)
    price = torch.rand(weeks, series, generator=gen)
    holiday = (t % 26 < 2).float().expand(weeks, series)
    noise = 0.2 * torch.randn(weeks, series, generator=gen)
    y = base + season - 1.3 * price + 0.8 * holiday + noise
    return y, price, holiday


class Smoother(nn.Module):
    def __init__(self, series, alpha=0.15):
        super().__init__()
        self.alpha = alpha
        self.offset = nn.Parameter(torch.zeros(series))
        self.elasticity = nn.Parameter(torch.zeros(series))
        self.holiday = nn.Parameter(torch.zeros(()))
        self.level = None

    def start(self, y0):
        self.level = y0.clone()

    def forecast(self, price, holiday):
        return self.level + self.offset + self.elasticity * price + self.holiday * holiday

    def observe(self, y):
        target = y - self.offset
        self.level = torch.lerp(self.level, target, self.alpha)  # <- culprit


class PinballOrHuber(nn.Module):
    def __init__(self, q=None, delta=1.0):
        super().__init__()
        self.q, self.delta = q, delta

    def forward(self, pred, y):
        if self.q is None:
            return nn.functional.huber_loss(pred, y, delta=self.delta)
        d = y - pred
        return torch.maximum(self.q * d, (self.q - 1) * d).mean()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--weeks", type=int, default=260)
    ap.add_argument("--series", type=int, default=24)
    ap.add_argument("--lr", type=float, default=0.02)
    args = ap.parse_args()

    gen = torch.Generator().manual_seed(11)
    y, price, holiday = demand(args.weeks, args.series, gen)
    model = Smoother(args.series)
    criterion = PinballOrHuber()
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)

    model.start(y[0])
    err = 0.0
    for week in range(1, args.weeks):
        pred = model.forecast(price[week], holiday[week])
        loss = criterion(pred, y[week])
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.observe(y[week])
        err = 0.95 * err + 0.05 * (pred.detach() - y[week]).abs().mean().item()
        if week % 52 == 0:
            print(f"year {week // 52}  huber {loss.item():.4f}  mae(ewm) {err:.4f}  "
                  f"holiday {model.holiday.item():+.3f}")


if __name__ == "__main__":
    main()
