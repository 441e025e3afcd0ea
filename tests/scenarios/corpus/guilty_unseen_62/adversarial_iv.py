# gradwatch-corpus: kind=inplace-modified
# holder: critic.net[4].weight | critic.net[2].weight | value
# first-bad: 6
# notice: 0
"""Nonparametric instrumental variables by adversarial moments.

Structural function f(price) and test function g(instrument) play

    min_f max_g  E[ g(z) (y - f(x)) ] - 1/4 E[ g(z)^2 ]

on simulated demand data with a confounder. The test function is warmed up for
a few rounds before the structural function starts to move.
"""
import argparse

import torch
from torch import nn


def demand_data(n, seed):
    """Log demand with an unobserved shock that also moves the price."""
    g = torch.Generator().manual_seed(seed)
    z = torch.randn(n, 2, generator=g)
    shock = torch.randn(n, 1, generator=g)
    x = 0.8 * z[:, :1] + 0.4 * z[:, 1:].tanh() + 0.6 * shock
    x = x + 0.1 * torch.randn(n, 1, generator=g)
    y = torch.sin(1.2 * x) - 0.5 * x + 0.9 * shock + 0.1 * torch.randn(n, 1, generator=g)
    return x, y, z


class MLP(nn.Module):
    def __init__(self, n_in, width=24):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(n_in, width), nn.Tanh(),
            nn.Linear(width, width), nn.Tanh(),
            nn.Linear(width, 1),
        )

    def forward(self, v):
        return self.net(v)


def game_value(structural, critic, x, y, z):
    g = critic(z)
    moment = (g * (y - structural(x))).mean()
    return moment - 0.25 * g.square().mean()


def minibatches(data, size, generator):
    n = len(data[0])
    while True:
        for idx in torch.randperm(n, generator=generator).split(size):
            if len(idx) == size:
                yield tuple(t[idx] for t in data)


def structural_error(structural):
    grid = torch.linspace(-1.5, 1.5, 50)[:, None]
    truth = torch.sin(1.2 * grid) - 0.5 * grid
    with torch.no_grad():
        return (structural(grid) - truth).square().mean().item()


def train(args):
    data = demand_data(args.n, args.seed)
    structural, critic = MLP(1), MLP(2)
    f_opt = torch.optim.Adam(structural.parameters(), lr=args.lr, betas=(0.0, 0.95))
    g_opt = torch.optim.Adam(critic.parameters(), lr=2 * args.lr, betas=(0.0, 0.95))
    source = minibatches(data, args.batch, torch.Generator().manual_seed(args.seed))

    for it in range(args.iters):
        x, y, z = next(source)
        value = game_value(structural, critic, x, y, z)

        # ascent for the test function
        g_opt.zero_grad()
        (-value).backward(retain_graph=True)
        g_opt.step()  # <- culprit

        # descent for the structural function on the same value
        if it >= args.warmup:
            f_opt.zero_grad()
            value.backward()  # <- culprit
            f_opt.step()

        if it % 20 == 0:
            print(f"{it:4d}  value {value.item():+.4f}  err {structural_error(structural):.4f}")
    return structural


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=150)
    ap.add_argument("--warmup", type=int, default=6)
    ap.add_argument("--batch", type=int, default=128)
    ap.add_argument("--n", type=int, default=2000)
    ap.add_argument("--lr", type=float, default=2e-3)
    ap.add_argument("--seed", type=int, default=0)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    print("final error", structural_error(train(args)))


if __name__ == "__main__":
    main()
