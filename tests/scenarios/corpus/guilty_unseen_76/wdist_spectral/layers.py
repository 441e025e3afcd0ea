import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def l2normalize(v, eps=1e-12):
    return v / (v.norm() + eps)


class SNLinear(nn.Module):
    """Linear layer divided by its largest singular value; u is kept between calls."""

    def __init__(self, n_in, n_out, power_iterations=1):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(n_out, n_in))
        self.bias = nn.Parameter(torch.zeros(n_out))
        nn.init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        self.power_iterations = power_iterations
        self.register_buffer("u", l2normalize(torch.randn(n_out)))
        self.register_buffer("v", l2normalize(torch.randn(n_in)))

    def _sigma(self):
        w = self.weight
        u, v = self.u, self.v
        if self.training:
            for _ in range(self.power_iterations):
                v = l2normalize(w.t().mv(u))  # <- culprit
                u = l2normalize(w.mv(v))  # <- culprit
            self.u, self.v = u, v  # <- culprit
        return u.dot(w.mv(v))

    def forward(self, x):
        return F.linear(x, self.weight / self._sigma(), self.bias)
