# gradwatch-corpus: kind=graph-chain
# holder: rx
# first-bad: 2
"""Fit the curvatures and spacings of a two-surface lens so that parallel rays meet on the axis.

Paraxial-plus-third-order ray transfer; plain gradient descent with a decaying rate,
since the five numbers live on very different scales.
"""
import math
from typing import NamedTuple

import torch


class Glass(NamedTuple):
    index: float
    name: str


BK7 = Glass(1.5168, "N-BK7")
NOMINAL = torch.tensor([0.020, -0.015, 0.40, 5.0, 0.02])
SCALE = torch.tensor([2e-7, 2e-7, 0.0, 2e-3, 1e-6])


def refract(height, slope, curv, n_in, n_out):
    tilt = curv * height + 0.5 * (curv * height) ** 3
    return (n_in * slope - (n_out - n_in) * tilt) / n_out


def trace(rx, heights, image=48.0):
    c1, c2, asph, thick, off = rx.unbind()
    y = heights + off
    a = refract(y, torch.zeros_like(y), c1, 1.0, BK7.index)
    y = y + thick * a
    a = refract(y, a, c2, BK7.index, 1.0)
    a = a - 1e-6 * asph * y ** 3
    return y + image * a


def pupil(n, radius, step):
    k = torch.arange(n) + 0.5 + 0.37 * math.sin(step)
    return radius * (k / n).clamp(max=1.0).sqrt() * torch.sign(torch.sin(k * 2.4))


def optimise(iters=300, rate=1.0):
    rx = NOMINAL.clone().requires_grad_(True)
    merit0 = None
    for j in range(iters):
        rx.retain_grad()
        spot = trace(rx, pupil(4096, 6.0, j))
        merit = spot.square().mean()
        merit.backward()
        if merit0 is None:
            merit0 = merit.item()
        gain = rate / (1 + j / 150)
        rx = rx - gain * SCALE * rx.grad  # <- culprit
        if j % 60 == 0:
            print(f"{j:4d} spot rms {merit.item() ** 0.5:8.4f} mm  c1={rx[0].item():+.5f} c2={rx[1].item():+.5f}")
    print("improvement x%.2f" % (merit0 / merit.item()))
    return rx


if __name__ == "__main__":
    torch.manual_seed(0)
    optimise()
