from collections import deque

import torch
import torch.nn as nn


def picard(f, z, iters=25, tol=1e-4):
    for _ in range(iters):
        nxt = f(z)
        gap = (nxt - z).norm() / (nxt.norm() + 1e-8)
        z = nxt
        if gap < tol:
            break
    return z, gap


class Implicit(nn.Module):
    """z* = f(z*, x), with the adjoint system solved in a backward hook."""

    def __init__(self, f):
        super().__init__()
        self.f = f
        self.hook = None
        self.gaps = {"forward": deque(maxlen=25), "backward": deque(maxlen=25)}

    def forward(self, x):
        with torch.no_grad():
            z, gap = picard(lambda z: self.f(z, x), torch.zeros_like(x))
        self.gaps["forward"].append(gap)
        z = self.f(z, x)
        if not self.training:
            return z
        z0 = z.detach().requires_grad_()
        f0 = self.f(z0, x.detach())

        def adjoint(grad):
            step = lambda y: torch.autograd.grad(f0, z0, y, retain_graph=True)[0] + grad
            g, gap = picard(step, grad)
            self.gaps["backward"].append(gap)
            return g

        self.hook = z.register_hook(adjoint)
        return z
