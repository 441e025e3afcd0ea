# gradwatch-corpus: kind=none
"""Per-feature ridge strengths tuned by implicit differentiation: conjugate gradient on Hessian-vector
products of the inner loss, warm started from the previous outer step."""
import functools

import torch


class Warm:
    """Descriptor keeping the last value of an attribute as a plain array."""

    def __set_name__(self, owner, name):
        self.slot = "_warm_" + name

    def __get__(self, obj, owner=None):
        return self if obj is None else getattr(obj, self.slot, None)

    def __set__(self, obj, value):
        with torch.no_grad():
            setattr(obj, self.slot, value * 1.0)


def conjugate_gradient(hvp, b, x=None, iters=6):
    x = torch.zeros_like(b) if x is None else x
    r = b - hvp(x)
    p, rs = r, r @ r
    for _ in range(iters):
        hp = hvp(p)
        a = rs / (p @ hp + 1e-10)
        x, r = x + a * p, r - a * hp
        new = r @ r
        if new < 1e-10:
            break
        p, rs = r + (new / rs) * p, new
    return x


class BilevelRidge:
    weights = Warm()
    adjoint = Warm()

    def __init__(self, dim):
        self.log_alpha = torch.zeros(dim, requires_grad=True)
        self.weights = torch.zeros(dim)
        self.outer = torch.optim.Adam([self.log_alpha], lr=0.02)
        self.curve = []

    def inner(self, w, x, y):
        return (x @ w - y).pow(2).mean() + (self.log_alpha.exp() * w * w).mean()

    def fit_inner(self, x, y, steps=4, lr=0.1):
        w = self.weights.requires_grad_()
        for _ in range(steps):
            (g,) = torch.autograd.grad(self.inner(w, x, y), w)
            w = (w - lr * g).detach().requires_grad_()
        self.weights = w
        return w

    def step(self, train, val):
        w = self.fit_inner(*train)
        xv, yv = val
        outer = (xv @ w - yv).pow(2).mean()
        (b,) = torch.autograd.grad(outer, w)
        (g,) = torch.autograd.grad(self.inner(w, *train), w, create_graph=True)
        hvp = functools.partial(self._product, g, w)
        v = conjugate_gradient(hvp, b, self.adjoint)
        self.adjoint = v
        (hyper,) = torch.autograd.grad(g, self.log_alpha, grad_outputs=-v)
        self.log_alpha.grad = hyper
        self.outer.step()
        self.curve.append(outer.item())
        return outer

    @staticmethod
    def _product(g, w, v):
        return torch.autograd.grad(g, w, grad_outputs=v, retain_graph=True)[0] + 1e-3 * v


def problem(g, dim=20, informative=6):
    beta = torch.zeros(dim)
    beta[:informative] = torch.randn(informative, generator=g)
    while True:
        x = torch.randn(2, 40, dim, generator=g)
        y = x @ beta + 0.5 * torch.randn(2, 40, generator=g)
        yield (x[0], y[0]), (x[1], y[1])


def main(steps=600):
    model = BilevelRidge(20)
    for i, (train, val) in zip(range(steps), problem(torch.Generator().manual_seed(7))):
        outer = model.step(train, val)
        if i % 100 == 0:
            a = model.log_alpha.data.exp()
            print(i, f"val {outer:.4f} alpha kept {a[:6].mean():.3f} dropped {a[6:].mean():.3f}")


if __name__ == "__main__":
    main()
