# gradwatch-corpus: kind=none
"""Deep equilibrium model for steady-state gene expression under knock-outs."""
from collections import deque

import torch
import torch.nn as nn
from torch import autograd

GENES, HIDDEN = 12, 20


def fixed_point(f, z, max_iter=30, tol=1e-3):
    """Damped fixed-point iteration; returns the point and the number of evaluations."""
    for k in range(max_iter):
        nxt = f(z)
        gap = (nxt - z).norm() / (nxt.norm() + 1e-8)
        z = 0.5 * z + 0.5 * nxt
        if gap < tol:
            break
    return z, k + 1


class Regulation(nn.Module):
    def __init__(self):
        super().__init__()
        self.W = nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.U = nn.Linear(GENES, HIDDEN)
        self.norm = nn.LayerNorm(HIDDEN)
        nn.init.normal_(self.W.weight, std=0.05)

    def forward(self, z, x):
        return self.norm(torch.tanh(self.W(z) + self.U(x)))


class DEQ(nn.Module):
    def __init__(self, f):
        super().__init__()
        self.f = f
        self.iters = deque(maxlen=100)

    def forward(self, x):
        with torch.no_grad():
            z, n = fixed_point(lambda z: self.f(z, x), torch.zeros(len(x), HIDDEN))
        self.iters.append(n)
        z = self.f(z, x)
        if not torch.is_grad_enabled():
            return z

        z0 = z.detach().requires_grad_()
        f0 = self.f(z0, x)

        def implicit(grad):
            g, _ = fixed_point(
                lambda y: autograd.grad(f0, z0, y, retain_graph=True)[0] + grad, grad)
            return g

        z.register_hook(implicit)
        return z


class Screen:
    """Synthetic knock-out screen: linear-threshold network iterated to rest."""

    def __init__(self, seed):
        g = torch.Generator().manual_seed(seed)
        self.A = torch.randn(GENES, GENES, generator=g) * 0.25

    def batch(self, n):
        ko = (torch.rand(n, GENES) > 0.2).float()
        s = torch.zeros(n, GENES)
        for _ in range(15):
            s = torch.sigmoid(s @ self.A.t() + 0.3) * ko
        return ko, s


def main():
    torch.set_num_threads(1)
    torch.manual_seed(3)
    screen = Screen(5)
    deq = DEQ(Regulation())
    model = nn.Sequential(deq, nn.Linear(HIDDEN, GENES), nn.Sigmoid())
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    val_x, val_y = screen.batch(100)
    for step in range(320):
        x, y = screen.batch(16)
        loss = nn.functional.mse_loss(model(x), y)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        if (step + 1) % 80 == 0:
            with torch.no_grad():
                val = nn.functional.mse_loss(model(val_x), val_y).item()
            print(f"{step + 1:4d} train {loss.item():.5f} val {val:.5f} "
                  f"solver iterations {sum(deq.iters) / len(deq.iters):.1f}")


if __name__ == "__main__":
    main()
