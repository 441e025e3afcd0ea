# gradwatch-corpus: kind=graph-chain
# holder: baseline | self._avg | baseline._avg
# first-bad: 101
# notice: 5
"""
Reserve-price setting for a repeated ad-slot auction.

The seller sees a context vector per slot and posts a reserve price; bidders have
hidden values that depend on the context. The policy maximises a smoothed revenue
*relative to* the revenue it has been making lately; the comparison starts once the
policy has had some rounds to settle.
"""
import argparse
from typing import Optional

import torch
import torch.nn as nn


class MovingBaseline:
    def __init__(self, momentum: float):
        self.momentum = momentum
        self._avg: Optional[torch.Tensor] = None

    @property
    def ready(self) -> bool:
        return self._avg is not None

    def value(self) -> torch.Tensor:
        return self._avg

    def update(self, batch_mean: torch.Tensor) -> None:
        if self._avg is None:
            self._avg = batch_mean  # <- culprit
        else:
            self._avg = self.momentum * self._avg + (1 - self.momentum) * batch_mean  # <- culprit


class ReservePolicy(nn.Module):
    def __init__(self, d: int):
        super().__init__()
        self.lin = nn.Linear(d, 1)

    def forward(self, ctx):
        return torch.sigmoid(self.lin(ctx)).squeeze(-1)


def sample_bids(ctx, w, n_bidders, gen):
    centre = torch.sigmoid(ctx @ w)
    noise = 0.15 * torch.randn(ctx.shape[0], n_bidders, generator=gen)
    bids = (centre[:, None] + noise).clamp(0, 1)
    top2 = bids.topk(2, dim=1).values
    return top2[:, 0], top2[:, 1]


def smooth_revenue(reserve, first, second, temp=0.05):
    sells = torch.sigmoid((first - reserve) / temp)
    price = torch.maximum(second, reserve)
    return sells * price


def main(argv=None):
    ap = argparse.ArgumentParser()
    ap.add_argument("--rounds", type=int, default=300)
    ap.add_argument("--settle", type=int, default=100)
    ap.add_argument("--dim", type=int, default=10)
    ap.add_argument("--bidders", type=int, default=4)
    ap.add_argument("--seed", type=int, default=2024)
    args = ap.parse_args(argv)

    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    gen = torch.Generator().manual_seed(args.seed + 1)

    hidden_w = torch.randn(args.dim, generator=gen)
    policy = ReservePolicy(args.dim)
    opt = torch.optim.SGD(policy.parameters(), lr=0.2, momentum=0.5)
    baseline = MovingBaseline(0.9)

    for rnd in range(args.rounds):
        ctx = torch.randn(48, args.dim, generator=gen)
        first, second = sample_bids(ctx, hidden_w, args.bidders, gen)
        revenue = smooth_revenue(policy(ctx), first, second)

        comparing = rnd >= args.settle
        if comparing and baseline.ready:
            shortfall = torch.relu(baseline.value() - revenue)
            loss = -revenue.mean() + 0.5 * shortfall.mean()
        else:
            loss = -revenue.mean()

        opt.zero_grad()
        loss.backward(retain_graph=comparing)  # <- culprit
        opt.step()
        if comparing:
            baseline.update(revenue.mean())  # <- culprit

        if rnd % 70 == 0:
            tag = f"{baseline.value().item():.4f}" if baseline.ready else "settling"
            print(f"round {rnd:4d} | revenue {revenue.mean().item():.4f} | baseline {tag}")


if __name__ == "__main__":
    main()
