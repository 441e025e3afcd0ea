# gradwatch-corpus: kind=graph-held
# holder: self.deferred | reporter.deferred
# first-bad: 1
"""Traffic speed forecasting on a sensor graph; console output is formatted off the hot path."""
import argparse
import math
from typing import Callable

import torch
import torch.nn.functional as F
from torch import nn


def ring_road_graph(n: int, shortcuts: int, gen: torch.Generator) -> torch.Tensor:
    adj = torch.eye(n)
    for i in range(n):
        adj[i, (i + 1) % n] = adj[(i + 1) % n, i] = 1.0
    for _ in range(shortcuts):
        i, j = torch.randint(0, n, (2,), generator=gen).tolist()
        adj[i, j] = adj[j, i] = 1.0
    deg = adj.sum(1).rsqrt()
    return deg[:, None] * adj * deg[None, :]


def simulate_speeds(n: int, length: int, adj: torch.Tensor, gen: torch.Generator) -> torch.Tensor:
    phase = torch.rand(n, generator=gen) * 2 * math.pi
    state, out = torch.zeros(n), []
    for t in range(length):
        drive = torch.sin(2 * math.pi * t / 48 + phase)
        state = 0.6 * adj @ state + 0.4 * drive + 0.05 * torch.randn(n, generator=gen)
        out.append(state)
    return torch.stack(out)


class DiffusionGC(nn.Module):
    def __init__(self, d_in: int, d_out: int, hops: int = 2):
        super().__init__()
        self.hops = hops
        self.lin = nn.Linear(d_in * (hops + 1), d_out)

    def forward(self, x, adj):
        feats = [x]
        for _ in range(self.hops):
            feats.append(torch.einsum("ij,bjd->bid", adj, feats[-1]))
        return self.lin(torch.cat(feats, dim=-1))


class Forecaster(nn.Module):
    def __init__(self, window: int, horizon: int, width: int = 24):
        super().__init__()
        self.gc1 = DiffusionGC(window, width)
        self.gc2 = DiffusionGC(width, horizon)

    def forward(self, x, adj):
        return x[..., -1:] + self.gc2(F.gelu(self.gc1(x, adj)), adj)


class Reporter:
    def __init__(self, every: int):
        self.every = every
        self.deferred: list[Callable[[], str]] = []

    def on_batch_end(self, step: int, mae: torch.Tensor, lr: float) -> None:
        self.deferred.append(lambda: f"step {step:4d}  mae {mae:.4f}  lr {lr:.2e}")  # <- culprit

    def on_train_end(self) -> None:
        for render in self.deferred[:: self.every]:
            print(render())


def parse_args():
    p = argparse.ArgumentParser()
    p.add_argument("--sensors", type=int, default=20)
    p.add_argument("--window", type=int, default=12)
    p.add_argument("--horizon", type=int, default=3)
    p.add_argument("--steps", type=int, default=480)
    p.add_argument("--batch", type=int, default=16)
    return p.parse_args()


def main():
    args = parse_args()
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(1)
    adj = ring_road_graph(args.sensors, 6, gen)
    speeds = simulate_speeds(args.sensors, 600, adj, gen)
    model = Forecaster(args.window, args.horizon)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.steps)
    reporter = Reporter(every=80)
    last = len(speeds) - args.window - args.horizon
    for step in range(args.steps):
        starts = torch.randint(0, last, (args.batch,), generator=gen).tolist()
        x = torch.stack([speeds[s:s + args.window].T for s in starts])
        y = torch.stack([speeds[s + args.window:s + args.window + args.horizon].T for s in starts])
        opt.zero_grad()
        mae = F.l1_loss(model(x, adj), y)
        mae.backward()
        opt.step()
        sched.step()
        reporter.on_batch_end(step, mae, sched.get_last_lr()[0])
    reporter.on_train_end()


if __name__ == "__main__":
    main()
