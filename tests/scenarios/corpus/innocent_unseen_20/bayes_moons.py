# gradwatch-corpus: kind=none
"""Bayes by backprop on two moons. Each Bayesian layer leaves its KL behind during the forward pass, and the
trainer gathers them; the running evidence bound is kept on the side."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class KLMixin:
    """Layers that leave terms for the objective."""

    def leave(self, **terms):
        for name, value in terms.items():
            setattr(self, "_term_" + name, value)

    def take(self):
        names = [n for n in vars(self) if n.startswith("_term_")]
        return sum(vars(self).pop(n) for n in names)


class BayesLinear(nn.Module, KLMixin):
    def __init__(self, d_in, d_out, prior_std=1.0):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(d_out, d_in) / math.sqrt(d_in))
        self.rho = nn.Parameter(torch.full((d_out, d_in), -4.0))
        self.bias = nn.Parameter(torch.zeros(d_out))
        self.prior_std = prior_std

    def forward(self, x):
        std = F.softplus(self.rho)
        # local reparametrisation
        mean = F.linear(x, self.mu, self.bias)
        var = F.linear(x.square(), std.square())
        kl = torch.log(self.prior_std / std) + (std.square() + self.mu.square()) / (2 * self.prior_std**2) - 0.5
        if self.training:
            self.leave(kl=kl.sum(), bias=0.5 * self.bias.square().sum())
        return mean + var.add(1e-8).sqrt() * torch.randn_like(mean)


class Net(nn.Sequential):
    def __init__(self, width=24):
        super().__init__(BayesLinear(2, width), nn.Tanh(), BayesLinear(width, width), nn.Tanh(), BayesLinear(width, 1))

    def complexity(self):
        return sum(m.take() for m in self.modules() if isinstance(m, KLMixin))


class RunningBound:
    """exponential average that is itself a tensor"""

    def __init__(self, rate=0.05):
        self.rate, self.value = rate, None

    def __lshift__(self, new):
        new = new.detach()
        self.value = new if self.value is None else self.value + self.rate * (new - self.value)
        return self


def moons(n, gen):
    y = torch.randint(2, (n,), generator=gen).float()
    a = math.pi * torch.rand(n, generator=gen)
    s = 1 - 2 * y
    x = torch.stack([s * a.cos() + y, s * a.sin() + 0.4 * y], 1)
    return x + 0.12 * torch.randn(n, 2, generator=gen), y


@torch.no_grad()
def predictive(model, x, draws=16):
    model.eval()
    p = torch.stack([torch.sigmoid(model(x).squeeze(1)) for _ in range(draws)]).mean(0)
    model.train()
    return p


def main(iterations=280, dataset=2000, batch=128):
    torch.manual_seed(52)
    gen = torch.Generator().manual_seed(53)
    x_all, y_all = moons(dataset, gen)
    model = Net()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    bound = RunningBound()
    anneal = lambda k: min(1.0, k / 100)
    for k in range(iterations):
        ix = torch.randint(dataset, (batch,), generator=gen)
        logit = model(x_all[ix]).squeeze(1)
        nll = F.binary_cross_entropy_with_logits(logit, y_all[ix])
        elbo = nll + anneal(k) * model.complexity() / dataset
        opt.zero_grad()
        elbo.backward()
        opt.step()
        bound <<= elbo
        if (k + 1) % 70 == 0:
            p = predictive(model, x_all[:400])
            acc = ((p > 0.5).float() == y_all[:400]).float().mean().item()
            print(f"{k + 1}: bound {bound.value.item():.4f}  acc {acc:.3f}")


if __name__ == "__main__":
    main()
