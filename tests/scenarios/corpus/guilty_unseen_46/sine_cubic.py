# gradwatch-corpus: kind=graph-chain
# holder: a | b | c | d
# first-bad: 2
# -*- coding: utf-8 -*-
"""
Homework 3, part B: fit y = sin(x) with a cubic, gradient descent by hand,
then the same with a tiny bit of momentum, and compare the two.
"""
import math

import torch

dtype = torch.float
device = torch.device("cpu")
torch.manual_seed(1)

n_points = 500
learning_rate = 2e-3
beta = 0.5
n_iter = 400

x = torch.linspace(-math.pi, math.pi, n_points, device=device, dtype=dtype)
y = torch.sin(x) + 0.02 * torch.randn(n_points)
xs = x / math.pi           # scaled, otherwise x ** 3 explodes


def cubic(a, b, c, d):
    return a + b * xs + c * xs ** 2 + d * xs ** 3


def init():
    out = []
    for _ in range(4):
        out.append(torch.randn((), device=device, dtype=dtype, requires_grad=True))
    return out


def plain_descent(n_iter, learning_rate):
    a, b, c, d = init()
    lr = learning_rate * 100
    for t in range(n_iter):
        y_pred = cubic(a, b, c, d)
        loss = (y_pred - y).pow(2).mean()
        if t % 100 == 99:
            print("  plain", t, round(loss.item(), 5))

        # .grad was None after the first round, retain_grad() cures that
        for p in (a, b, c, d):
            p.retain_grad()
        loss.backward()

        a = a - lr * a.grad  # <- culprit
        b = b - lr * b.grad  # <- culprit
        c = c - lr * c.grad  # <- culprit
        d = d - lr * d.grad  # <- culprit
    return a, b, c, d


def momentum_descent(n_iter, learning_rate, beta):
    ps = init()
    vs = [torch.zeros(()) for _ in ps]
    lr = learning_rate * 100
    for t in range(n_iter):
        y_pred = cubic(*ps)
        loss = (y_pred - y).pow(2).mean()
        if t % 100 == 99:
            print("  momentum", t, round(loss.item(), 5))
        loss.backward()
        with torch.no_grad():
            for p, v in zip(ps, vs):
                v.mul_(beta).add_(p.grad)
                p -= lr * v
                p.grad = None
    return ps


def show(tag, coeffs):
    a, b, c, d = (p.item() for p in coeffs)
    print(f"{tag}: y = {a:.3f} + {b:.3f} s + {c:.3f} s^2 + {d:.3f} s^3")


if __name__ == "__main__":
    print("gradient descent")
    show("plain   ", plain_descent(n_iter, learning_rate))
    show("momentum", momentum_descent(n_iter, learning_rate, beta))
