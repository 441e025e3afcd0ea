# gradwatch-corpus: kind=second-backward
# holder: self._value | prior_term._value
# first-bad: 121
# notice: 0
"""Bayesian regression of soil moisture (mean-field Gaussian weights).

The divergence to the prior is recomputed on every step while the posterior still moves fast, later only
every few steps.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class GaussianLinear(nn.Module):
    def __init__(self, n_in, n_out, prior_std=0.7):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(n_out, n_in) / math.sqrt(n_in))
        self.rho = nn.Parameter(torch.full((n_out, n_in), -3.0))
        self.bias = nn.Parameter(torch.zeros(n_out))
        self.prior_std = prior_std

    @property
    def std(self):
        return F.softplus(self.rho)

    def forward(self, x):
        w = self.mu + self.std * torch.randn_like(self.mu)
        return F.linear(x, w, self.bias)

    def divergence(self):
        s, p = self.std, self.prior_std
        return (torch.log(p / s) + (s ** 2 + self.mu ** 2) / (2 * p ** 2) - 0.5).sum()


class PriorTerm:
    def __init__(self, layers, settle=120, every=5):
        self.layers = layers
        self.settle = settle
        self.every = every
        self._value = None

    def __call__(self, step):
        due = step < self.settle or step % self.every == 0
        if self._value is None or due:
            self._value = sum(layer.divergence() for layer in self.layers)  # <- culprit
        return self._value  # <- culprit


class MoistureNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = GaussianLinear(6, 16)
        self.b = GaussianLinear(16, 1)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x)))


def probes(n):
    x = torch.randn(n, 6)
    y = 0.6 * x[:, :1] - 0.3 * x[:, 1:2] * x[:, 2:3] + 0.1 * torch.randn(n, 1)
    return x, y


def main():
    torch.set_num_threads(1)
    torch.manual_seed(314)
    net = MoistureNet()
    prior_term = PriorTerm([net.a, net.b])
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    n_data = 4000
    for step in range(400):
        x, y = probes(40)
        nll = F.gaussian_nll_loss(net(x), y, torch.full_like(y, 0.04))
        kl = prior_term(step)
        loss = nll + kl / n_data
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 40 == 0:
            print(f"{step:4d} nll {nll.item():.3f} kl {kl.item():.1f}")


if __name__ == "__main__":
    main()
