# gradwatch-corpus: kind=graph-held
# holder: self.window | self.watch.window | watch.window | sched.watch.window | scheduler.watch.window
# first-bad: 1
import argparse
from collections import deque

import torch
from torch import nn


class TrendWatch:
    """Slope of the last `size` values."""

    def __init__(self, size):
        self.window = deque(maxlen=size)

    def push(self, v):
        self.window.append(v)  # <- culprit

    def full(self):
        return len(self.window) == self.window.maxlen

    def slope(self):
        half = len(self.window) // 2
        vals = [float(v) for v in self.window]
        return sum(vals[half:]) / (len(vals) - half) - sum(vals[:half]) / half


class PlateauLR:
    def __init__(self, optimizer, window=40, factor=0.5, tol=2e-3, cooldown=40, floor=1e-4):
        self.optimizer = optimizer
        self.watch = TrendWatch(window)
        self.factor, self.tol, self.floor = factor, tol, floor
        self.cooldown = cooldown
        self._rest = 0

    def step(self, metric):
        self.watch.push(metric)  # <- culprit
        if self._rest > 0:
            self._rest -= 1
            return
        if self.watch.full() and self.watch.slope() > -self.tol:
            for g in self.optimizer.param_groups:
                g["lr"] = max(g["lr"] * self.factor, self.floor)
            self._rest = self.cooldown

    @property
    def lr(self):
        return self.optimizer.param_groups[0]["lr"]


class MoistureNet(nn.Module):
    def __init__(self, n_sensors, depth_levels):
        super().__init__()
        self.enc = nn.Linear(n_sensors, 32)
        self.mix = nn.ModuleList(nn.Linear(32, 32) for _ in range(2))
        self.dec = nn.Linear(32, depth_levels)

    def forward(self, s):
        h = torch.tanh(self.enc(s))
        for layer in self.mix:
            h = h + torch.tanh(layer(h))
        return self.dec(h)


def field(n_sensors, levels, seed=7):
    g = torch.Generator().manual_seed(seed)
    w = torch.randn(n_sensors, levels, generator=g) / n_sensors ** 0.5
    while True:
        s = torch.randn(32, n_sensors, generator=g)
        yield s, torch.sin(s @ w) + 0.05 * torch.randn(32, levels, generator=g)


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=240)
    p.add_argument("--lr", type=float, default=1e-2)
    p.add_argument("--log", type=int, default=60)
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(0)
    net = MoistureNet(12, 4)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    scheduler = PlateauLR(opt)
    stream = field(12, 4)
    for it in range(1, args.steps + 1):
        sensors, truth = next(stream)
        mse = nn.functional.mse_loss(net(sensors), truth)
        opt.zero_grad()
        mse.backward()
        opt.step()
        scheduler.step(mse)  # <- culprit
        if it % args.log == 0:
            print(f"{it:4d} mse={mse.item():.4f} lr={scheduler.lr:.5f}")


if __name__ == "__main__":
    main()
