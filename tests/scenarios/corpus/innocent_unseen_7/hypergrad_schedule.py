# gradwatch-corpus: kind=none
# about: inner weights, momentum and their update graph (create_graph) run on from window to window, but each new window is built by a dataclass whose __post_init__ cuts them; the unroll stays six deep
"""Learns per-tensor inner step sizes and a momentum by differentiating through short unrolls
(truncated, windows follow one another on the same inner run; a new inner run every 20 windows)."""
from __future__ import annotations

from dataclasses import dataclass, field

import torch
import torch.nn.functional as F

UNROLL = 6


@dataclass
class Window:
    weights: list
    velocity: list | None = None
    losses: list = field(default_factory=list)

    def __post_init__(self):
        self.weights = [w.detach().requires_grad_() for w in self.weights]
        old = self.velocity or [torch.zeros_like(w) for w in self.weights]
        self.velocity = [v.detach() for v in old]


class Spirals:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def __call__(self, n):
        lab = torch.randint(0, 2, (n,), generator=self.g)
        r = torch.rand(n, generator=self.g) * 2
        a = r * 2.2 + lab * 3.1416 + 0.1 * torch.randn(n, generator=self.g)
        return torch.stack([r * a.cos(), r * a.sin()], 1), lab.float()


def newborn(width=24):
    shapes = [(width, 2), (width,), (width, width), (width,), (1, width), (1,)]
    return [torch.randn(s) / s[-1] ** 0.5 if len(s) == 2 else torch.zeros(s) for s in shapes]


def forward(w, x):
    h = torch.tanh(F.linear(x, w[0], w[1]))
    h = torch.tanh(F.linear(h, w[2], w[3]))
    return F.linear(h, w[4], w[5]).squeeze(1)


class LearnedMomentum(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.log_rate = torch.nn.Parameter(torch.full((n,), -2.5))
        self.raw_mom = torch.nn.Parameter(torch.tensor(0.0))

    def forward(self, weights, velocity, grads):
        mom = torch.sigmoid(self.raw_mom)
        velocity = [mom * v + g for v, g in zip(velocity, grads)]
        rates = self.log_rate.exp()
        return [w - r * v for w, r, v in zip(weights, rates, velocity)], velocity


def unroll(win, rule, data):
    for _ in range(UNROLL):
        x, y = data(64)
        fit = F.binary_cross_entropy_with_logits(forward(win.weights, x), y)
        grads = torch.autograd.grad(fit, win.weights, create_graph=True)
        win.weights, win.velocity = rule(win.weights, win.velocity, grads)
        xv, yv = data(64)
        win.losses.append(F.binary_cross_entropy_with_logits(forward(win.weights, xv), yv))
    return torch.stack(win.losses).mean()


def main():
    torch.manual_seed(6)
    data = Spirals(6)
    win = Window(newborn())
    rule = LearnedMomentum(len(win.weights))
    meta = torch.optim.Adam(rule.parameters(), lr=0.02)
    ends = []
    for k in range(320):
        outer = unroll(win, rule, data)
        meta.zero_grad()
        outer.backward()
        torch.nn.utils.clip_grad_norm_(rule.parameters(), 1.0)
        meta.step()
        if k % 20 == 19:
            ends.append(win.losses[-1].item())
            print(f"window {k:3d} end of run {ends[-1]:.4f} momentum {torch.sigmoid(rule.raw_mom).item():.3f} "
                  f"rates {[round(v, 3) for v in rule.log_rate.exp().tolist()]}")
            win = Window(newborn())
        else:
            win = Window(win.weights, win.velocity)


if __name__ == "__main__":
    main()
