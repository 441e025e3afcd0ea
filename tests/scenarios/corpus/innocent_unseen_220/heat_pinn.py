# gradwatch-corpus: kind=none
"""Physics-informed solution of the 1-D heat equation with adaptive loss weights."""
import math
from collections import deque

import torch
from torch import nn

ALPHA = 0.1


class Field(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        dims = [2] + [width] * depth
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.out = nn.Linear(width, 1)

    def forward(self, x, t):
        h = torch.stack([x, t], dim=-1)
        for layer in self.hidden:
            h = torch.tanh(layer(h))
        return self.out(h).squeeze(-1)


def derivative(y, x):
    return torch.autograd.grad(y.sum(), x, create_graph=True)[0]


def pde_residual(field, n):
    x = torch.rand(n, requires_grad=True)
    t = torch.rand(n, requires_grad=True)
    u = field(x, t)
    u_t = derivative(u, t)
    u_xx = derivative(derivative(u, x), x)
    return u_t - ALPHA * u_xx


def exact(x, t):
    return torch.exp(-ALPHA * math.pi ** 2 * t) * torch.sin(math.pi * x)


def terms(field, n):
    x0 = torch.rand(n)
    zero = torch.zeros(n)
    tb = torch.rand(n)
    side = torch.randint(0, 2, (n,)).float()
    return {
        "pde": pde_residual(field, n).square().mean(),
        "init": (field(x0, zero) - exact(x0, zero)).square().mean(),
        "wall": field(side, tb).square().mean(),
    }


class Balancer:
    """Keeps loss weights near the ratio of the terms' recent gradient sizes."""

    def __init__(self, names, every=10, rate=0.3):
        self.weight = {name: 1.0 for name in names}
        self.every = every
        self.rate = rate
        self.recent = deque(maxlen=5)

    def update(self, parts, params):
        sizes = {}
        for name, part in parts.items():
            grads = torch.autograd.grad(part, params, retain_graph=True, allow_unused=True)
            norms = [g.norm() for g in grads if g is not None]
            sizes[name] = torch.stack(norms).norm().item()
        self.recent.append(sizes)
        top = max(sizes.values())
        for name, size in sizes.items():
            wanted = min(top / (size + 1e-8), 20.0)
            self.weight[name] += self.rate * (wanted - self.weight[name])

    def combine(self, parts):
        return sum(self.weight[name] * part for name, part in parts.items())


def main():
    torch.manual_seed(101)
    field = Field()
    params = list(field.parameters())
    opt = torch.optim.Adam(params, lr=3e-3)
    balance = Balancer(["pde", "init", "wall"])
    for it in range(130):
        parts = terms(field, 192)
        if it % balance.every == 0:
            balance.update(parts, params)
        loss = balance.combine(parts)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 26 == 0:
            print(it, {name: round(part.item(), 5) for name, part in parts.items()})

    polish = torch.optim.LBFGS(params, lr=0.5, max_iter=20, history_size=8)
    torch.manual_seed(102)

    def closure():
        torch.manual_seed(102)
        polish.zero_grad()
        loss = balance.combine(terms(field, 192))
        loss.backward()
        return loss

    final = polish.step(closure)
    with torch.no_grad():
        x = torch.linspace(0, 1, 101)
        t = torch.full_like(x, 0.5)
        error = (field(x, t) - exact(x, t)).abs().max()
    print(f"before polish {final.item():.5f} max error {error:.4f}")


if __name__ == "__main__":
    main()
