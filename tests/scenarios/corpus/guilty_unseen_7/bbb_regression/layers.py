import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Complexity:
    """collects the complexity cost of all variational layers over the monte carlo samples"""

    def __init__(self):
        self.value = 0.0

    def add(self, term):
        self.value = self.value + term  # <- culprit

    def mean(self, samples):
        return self.value / samples  # <- culprit


COMPLEXITY = Complexity()


class Variational(nn.Module):
    def __init__(self, shape, prior, scale):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(*shape) * scale)
        self.rho = nn.Parameter(torch.full(shape, -4.0))
        self.prior = prior

    @property
    def sigma(self):
        return F.softplus(self.rho)

    def forward(self):
        s = self.sigma
        eps = torch.randn_like(s)
        w = self.mu + s * eps
        log_q = -s.log() - 0.5 * eps ** 2
        log_p = -math.log(self.prior) - 0.5 * (w / self.prior) ** 2
        COMPLEXITY.add((log_q - log_p).sum())
        return w


class BayesianLinear(nn.Module):
    def __init__(self, i, o, prior):
        super().__init__()
        self.weight = Variational((o, i), prior, scale=i ** -0.5)
        self.bias = Variational((o,), prior, scale=0.01)

    def forward(self, x):
        return F.linear(x, self.weight(), self.bias())


class BayesianMLP(nn.Module):
    def __init__(self, dims, prior):
        super().__init__()
        self.layers = nn.ModuleList(BayesianLinear(a, b, prior) for a, b in zip(dims, dims[1:]))

    def forward(self, x):
        *hidden, last = self.layers
        for layer in hidden:
            x = torch.relu(layer(x))
        return last(x)

    def mean_sigma(self):
        with torch.no_grad():
            return torch.cat([m.sigma.flatten() for m in self.modules() if isinstance(m, Variational)]).mean().item()
