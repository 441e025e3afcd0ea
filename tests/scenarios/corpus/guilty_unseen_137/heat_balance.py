# gradwatch-corpus: kind=graph-chain
# holder: self.ratio | balancer.ratio
# first-bad: 1
# notice: 5
"""1-D heat equation, boundary and residual terms balanced by a smoothed ratio."""
import math

import torch

torch.set_num_threads(1)


class SineNet:
    def __init__(self, width, gen):
        r = lambda *s: torch.randn(*s, generator=gen)
        self.a = (r(2, width) * 1.2).requires_grad_()
        self.b = r(width).requires_grad_()
        self.c = (r(width, 1) / width ** 0.5).requires_grad_()

    def __call__(self, x, t):
        return torch.sin(torch.cat([x, t], 1) @ self.a + self.b) @ self.c

    def weights(self):
        return [self.a, self.b, self.c]


class Balancer:
    """lambda_k = beta * lambda_{k-1} + (1 - beta) * residual / boundary."""

    def __init__(self, beta):
        self.beta = beta
        self.ratio = torch.ones(())

    def combine(self, residual, boundary):
        now = (residual.detach() / (boundary + 1e-3)).clamp(0.1, 10.0)
        self.ratio = self.beta * self.ratio + (1 - self.beta) * now  # <- culprit
        return residual + self.ratio * boundary


def gradient(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def terms(u, n, gen):
    x = torch.rand(n, 1, generator=gen).requires_grad_()
    t = torch.rand(n, 1, generator=gen).requires_grad_()
    y = u(x, t)
    residual = (gradient(y, t) - 0.1 * gradient(gradient(y, x), x)).square().mean()
    xb = torch.rand(n, 1, generator=gen)
    start = (u(xb, torch.zeros(n, 1)) - torch.sin(math.pi * xb)).square().mean()
    walls = u(torch.zeros(n, 1), t.detach()).square().mean() + u(torch.ones(n, 1), t.detach()).square().mean()
    return residual, start + walls


def descend(ws, lr):
    for w in ws:
        w.data -= lr * w.grad.clamp(-1, 1)
        w.grad = None


gen = torch.Generator().manual_seed(12)
net, balancer = SineNet(12, gen), Balancer(0.8)
for k in range(160):
    res, bnd = terms(net, 10, gen)
    loss = balancer.combine(res, bnd)
    loss.backward(retain_graph=True)  # <- culprit
    descend(net.weights(), 5e-3)
    if k % 30 == 0:
        print(f"{k:4d} residual {res.item():.4f} boundary {bnd.item():.4f} lambda {balancer.ratio.item():.3f}")
