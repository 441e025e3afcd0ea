# gradwatch-corpus: kind=none
# about: create_graph and retain_graph are both needed each step (derivatives in the residual; per-term gradient norms before the joint backward)
"""A PINN for the 1-D wave equation with term weights balanced by their gradient norms every step."""
import dataclasses
import functools
import math

import torch


@dataclasses.dataclass
class Knobs:
    width: int = 40
    pts: int = 96
    iters: int = 300
    lr: float = 2e-3
    smooth: float = 0.9


def deriv(u, v):
    return torch.autograd.grad(u.sum(), v, create_graph=True)[0]


class Field(torch.nn.Module):
    def __init__(self, w):
        super().__init__()
        self.a, self.b, self.c = torch.nn.Linear(2, w), torch.nn.Linear(w, w), torch.nn.Linear(w, 1)

    def forward(self, x, t):
        return self.c(torch.tanh(self.b(torch.tanh(self.a(torch.stack([x, t], 1)))))).squeeze(1)


TERMS = {}


def term(fn):
    TERMS[fn.__name__] = fn
    return fn


@term
def interior(u, kn, g):
    x = torch.rand(kn.pts, generator=g).requires_grad_()
    t = torch.rand(kn.pts, generator=g).requires_grad_()
    f = u(x, t)
    return (deriv(deriv(f, t), t) - deriv(deriv(f, x), x)).pow(2).mean()


@term
def start(u, kn, g):
    x = torch.rand(kn.pts, generator=g)
    t = torch.zeros(kn.pts, requires_grad=True)
    f = u(x, t)
    return (f - torch.sin(math.pi * x)).pow(2).mean() + deriv(f, t).pow(2).mean()


@term
def walls(u, kn, g):
    t = torch.rand(kn.pts, generator=g)
    return (u(torch.zeros_like(t), t).pow(2) + u(torch.ones_like(t), t).pow(2)).mean()


class Balancer:
    def __init__(self, params, kn):
        self.params, self.kn = list(params), kn
        self.lam = dict.fromkeys(TERMS, 1.0)

    def norm(self, val):
        gs = torch.autograd.grad(val, self.params, retain_graph=True, allow_unused=True)
        return math.sqrt(sum(q.pow(2).sum().item() for q in gs if q is not None))

    def combine(self, vals):
        norms = {k: self.norm(v) for k, v in vals.items()}
        mean = sum(norms.values()) / len(norms)
        for k, n in norms.items():
            self.lam[k] = self.kn.smooth * self.lam[k] + (1 - self.kn.smooth) * min(mean / (n + 1e-8), 50.0)
        return functools.reduce(torch.add, (self.lam[k] * v for k, v in vals.items()))


def main():
    kn = Knobs()
    torch.manual_seed(23)
    g = torch.Generator().manual_seed(23)
    u = Field(kn.width)
    bal = Balancer(u.parameters(), kn)
    opt = torch.optim.Adam(u.parameters(), lr=kn.lr)
    for i in range(kn.iters):
        vals = {k: f(u, kn, g) for k, f in TERMS.items()}
        opt.zero_grad()
        bal.combine(vals).backward()
        opt.step()
        if i % 60 == 59:
            print(i + 1, " ".join(f"{k}={v.item():.4f}(x{bal.lam[k]:.1f})" for k, v in vals.items()))
    x = torch.linspace(0, 1, 21)
    with torch.no_grad():
        ref = torch.sin(math.pi * x) * math.cos(math.pi * 0.5)
        print("max error at t=0.5:", (u(x, torch.full((21,), 0.5)) - ref).abs().max().item())


if __name__ == "__main__":
    main()
