# gradwatch-corpus: kind=none
"""Swell height forecast: one long buoy record, read in windows of a few hours."""
import argparse

import torch
from torch import nn


def buoy(hours, channels, g):
    t = torch.arange(hours, dtype=torch.float32)
    base = torch.stack([torch.sin(t / p + torch.rand((), generator=g) * 6) for p in (4.0, 9.0, 23.0)], 1)
    mix = torch.randn(3, channels, generator=g)
    return base @ mix + 0.1 * torch.randn(hours, channels, generator=g)


class Forecaster(nn.Module):
    def __init__(self, channels, hidden):
        super().__init__()
        self.lstm = nn.LSTM(channels, hidden, num_layers=2)
        self.out = nn.Linear(hidden, channels)
        self.carry = None

    def forward(self, x):
        y, self.carry = self.lstm(x, self.carry)
        return self.out(y)

    def cut(self):
        if self.carry is not None:
            self.carry = tuple(s.detach() for s in self.carry)


def run(args):
    g = torch.Generator().manual_seed(0)
    torch.manual_seed(0)
    records = torch.stack([buoy(args.windows * args.k + 1, 4, g) for _ in range(args.buoys)], 1)
    net = Forecaster(4, args.hidden)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    log = []
    for w in range(args.windows):
        lo = w * args.k
        x, y = records[lo:lo + args.k], records[lo + 1:lo + args.k + 1]
        net.cut()
        loss = nn.functional.mse_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        log = log[-49:] + [loss.item()]
        if (w + 1) % 50 == 0:
            print(f"window {w + 1}: {sum(log) / len(log):.4f}")
    return log


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--k", type=int, default=10, help="steps of back-propagation")
    p.add_argument("--windows", type=int, default=200)
    p.add_argument("--buoys", type=int, default=8)
    p.add_argument("--hidden", type=int, default=20)
    run(p.parse_args())
