# gradwatch-corpus: kind=none
"""Learns feature-wise regularisation by implicit differentiation (Neumann series)."""
import torch
from torch import nn


class Inner:
    """Regularised logistic regression, warm-started between outer steps."""

    def __init__(self, d, lr=0.3):
        self.w = torch.zeros(d, requires_grad=True)
        self.lr = lr

    def loss(self, x, y, log_reg):
        fit = nn.functional.binary_cross_entropy_with_logits(x @ self.w, y)
        return fit + 0.5 * (log_reg.exp() * self.w.pow(2)).sum()

    def descend(self, x, y, log_reg, steps):
        reg = log_reg.detach()
        for _ in range(steps):
            g, = torch.autograd.grad(self.loss(x, y, reg), self.w)
            with torch.no_grad():
                self.w -= self.lr * g


class ImplicitTuner:
    def __init__(self, inner, d, lr=0.05, terms=8):
        self.inner, self.terms = inner, terms
        self.log_reg = nn.Parameter(torch.full((d,), -3.0))
        self.opt = torch.optim.Adam([self.log_reg], lr=lr)
        self.hypergrads = []

    def step(self, train, valid):
        w = self.inner.w
        outer = nn.functional.binary_cross_entropy_with_logits(valid[0] @ w, valid[1])
        v, = torch.autograd.grad(outer, w)
        inner_grad, = torch.autograd.grad(self.inner.loss(*train, self.log_reg), w, create_graph=True)
        p, total = v.clone(), v.clone()
        for _ in range(self.terms):
            hv, = torch.autograd.grad(inner_grad, w, grad_outputs=p, retain_graph=True)
            p = p - self.inner.lr * hv
            total = total + p
        mixed, = torch.autograd.grad(inner_grad, self.log_reg, grad_outputs=self.inner.lr * total)
        self.log_reg.grad = -mixed
        self.opt.step()
        with torch.no_grad():
            self.log_reg.clamp_(-7, 1)
        self.hypergrads = (self.hypergrads + [mixed])[-20:]
        return outer.item()

    def noise(self):
        return torch.stack(self.hypergrads).std(0, unbiased=False).mean().item()


def survey(n, d, gen, coef):
    x = torch.randn(n, d, generator=gen)
    y = (x @ coef + 0.8 * torch.randn(n, generator=gen) > 0).float()
    return x, y


def main(steps=420, d=25):
    gen = torch.Generator().manual_seed(64)
    coef = torch.zeros(d)
    coef[:5] = torch.tensor([2.0, -1.5, 1.0, 1.0, -0.8])
    train, valid = survey(90, d, gen, coef), survey(200, d, gen, coef)
    inner = Inner(d)
    tuner = ImplicitTuner(inner, d)
    trail = []
    for step in range(steps):
        inner.descend(*train, tuner.log_reg, steps=3)
        trail.append(tuner.step(train, valid))
        if step % 70 == 69:
            reg = tuner.log_reg.detach().exp()
            print(step, f"valid {trail[-1]:.4f} signal reg {reg[:5].mean():.4f} noise reg {reg[5:].mean():.4f}",
                  f"grad noise {tuner.noise():.1e}")


if __name__ == "__main__":
    main()
