# gradwatch-corpus: kind=second-backward
# holder: self.reference[key] | self.reference | weigher.reference
# first-bad: 41
"""Cooling of a lamp housing as a physics-informed net: u_t = a u_xx - k (u - ambient), with an unknown a.
Four terms of very different size; after a settling phase each is measured against what it was then."""
import argparse
import math

import torch
from torch import nn


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=400)
    ap.add_argument("--settle", type=int, default=40)
    ap.add_argument("--width", type=int, default=24)
    ap.add_argument("--points", type=int, default=96)
    ap.add_argument("--power", type=float, default=0.5)
    return ap.parse_args()


class Field(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_a = nn.Parameter(torch.tensor(-1.0))

    def forward(self, x, t):
        return self.body(torch.cat([x, t], 1))


def d(y, wrt):
    return torch.autograd.grad(y, wrt, torch.ones_like(y), create_graph=True)[0]


class RelativeWeigher:
    """Sum of (term / its value at the end of the settling phase) ** power."""

    def __init__(self, settle, power):
        self.settle, self.power = settle, power
        self.seen = 0
        self.reference = {}

    def __call__(self, terms):
        if self.seen == self.settle:
            for key, value in terms.items():
                self.reference[key] = value + 1e-6  # <- culprit
        self.seen += 1
        if not self.reference:
            return sum(terms.values())
        return sum((terms[key] / self.reference[key]) ** self.power for key in terms)


def terms_of(field, n, ambient=0.2, k=0.3):
    x = torch.rand(n, 1, requires_grad=True)
    t = torch.rand(n, 1, requires_grad=True)
    u = field(x, t)
    u_x = d(u, x)
    residual = d(u, t) - field.log_a.exp() * d(u_x, x) + k * (u - ambient)
    x0 = torch.rand(n // 2, 1)
    begin = field(x0, torch.zeros_like(x0)) - torch.sin(math.pi * x0)
    t0 = torch.rand(n // 2, 1)
    edge = torch.cat([field(torch.zeros_like(t0), t0), field(torch.ones_like(t0), t0)]) - ambient * t0.repeat(2, 1)
    xs, ts = torch.rand(16, 1), torch.rand(16, 1)
    seen = torch.sin(math.pi * xs) * torch.exp(-(0.12 * math.pi ** 2 + k) * ts)
    probe = field(xs, ts) - seen
    return {
        "physics": residual.square().mean(),
        "initial": begin.square().mean(),
        "edge": edge.square().mean(),
        "probe": probe.square().mean(),
    }


def main(args):
    torch.manual_seed(404)
    field = Field(args.width)
    weigher = RelativeWeigher(args.settle, args.power)
    opt = torch.optim.Adam(field.parameters(), lr=4e-3)
    for it in range(args.iters):
        terms = terms_of(field, args.points)
        total = weigher(terms)
        opt.zero_grad()
        total.backward()
        opt.step()
        if it % 20 == 0:
            shown = " ".join(f"{k}={v.item():.2e}" for k, v in terms.items())
            print(f"{it:4d} total={total.item():.4f} {shown} a={field.log_a.exp().item():.3f}")


if __name__ == "__main__":
    main(parse())
