# gradwatch-corpus: kind=graph-chain
# holder: self.level | twin.level
# first-bad: 1
"""Fit the valve coefficients of a two-inlet water tank against logged level readings."""
import argparse
import math

import torch
from torch import nn


class TankTwin(nn.Module):
    """Euler-integrated level of one tank; the level is the state of the plant."""

    def __init__(self, n_inlets, batch, dt):
        super().__init__()
        self.dt = dt
        self.valve = nn.Parameter(torch.full((n_inlets,), 0.2))
        self.drain = nn.Parameter(torch.tensor(0.05))
        self.level = torch.full((batch,), 0.5)

    def derivative(self, flows):
        return flows @ self.valve - self.drain

    def simulate(self, flow_window):
        level = self.level
        trace = []
        for flows in flow_window.unbind(0):
            level = level + self.dt * self.derivative(flows)
            trace.append(level)
        self.level = level  # <- culprit
        return torch.stack(trace)


class PlantLog:
    def __init__(self, batch, n_inlets, horizon, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.batch, self.n_inlets, self.horizon = batch, n_inlets, horizon
        self.true_valve = torch.tensor([0.8, 0.35])
        self.level = torch.full((batch,), 0.5)
        self.clock = 0

    def next_window(self, dt):
        t = torch.arange(self.clock, self.clock + self.horizon).float()
        season = 0.5 + 0.4 * torch.sin(2 * math.pi * t / 24.0)
        flows = torch.rand(self.horizon, self.batch, self.n_inlets, generator=self.gen) * season[:, None, None]
        readings = []
        for f in flows:
            self.level = self.level + dt * (f @ self.true_valve - 0.28)
            readings.append(self.level + 0.01 * torch.randn(self.batch, generator=self.gen))
        self.clock += self.horizon
        return flows, torch.stack(readings)


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--windows", type=int, default=200)
    ap.add_argument("--horizon", type=int, default=5)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--dt", type=float, default=0.1)
    args = ap.parse_args()

    torch.manual_seed(0)
    log = PlantLog(args.batch, 2, args.horizon, seed=1)
    twin = TankTwin(2, args.batch, args.dt)
    opt = torch.optim.Adam(twin.parameters(), lr=args.lr)

    for k in range(args.windows):
        flows, readings = log.next_window(args.dt)
        opt.zero_grad()
        err = twin.simulate(flows) - readings
        cost = err.pow(2).mean()
        cost.backward(retain_graph=True)
        opt.step()
        if k % 25 == 0:
            print(f"window {k:4d}  cost {cost.item():.5f}  valve {twin.valve.tolist()}")


if __name__ == "__main__":
    main()
