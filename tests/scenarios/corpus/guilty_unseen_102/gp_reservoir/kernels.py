import torch
from torch import nn


class CachedKernel(nn.Module):
    """Base class: a Gram matrix is computed once per (inputs, hyperparameters)."""

    def __init__(self):
        super().__init__()
        self._gram = {}

    def hyper_key(self):
        raise NotImplementedError

    def evaluate(self, a, b):
        raise NotImplementedError

    def forward(self, a, b):
        key = (id(a), id(b), self.hyper_key(), torch.is_grad_enabled())  # <- culprit
        if key not in self._gram:
            self._gram[key] = self.evaluate(a, b)  # <- culprit
        return self._gram[key]


class ArdMatern32(CachedKernel):
    def __init__(self, n_dims):
        super().__init__()
        self.log_ls = nn.Parameter(torch.zeros(n_dims) - 0.5)
        self.log_scale = nn.Parameter(torch.zeros(()))

    @property
    def lengthscale(self):
        return self.log_ls.detach().exp()

    def hyper_key(self):
        return tuple(self.log_ls.tolist()) + (self.log_scale.item(),)

    def evaluate(self, a, b):
        a, b = a / self.log_ls.exp(), b / self.log_ls.exp()
        d2 = (a[:, None, :] - b[None, :, :]).pow(2).sum(-1)
        r = 3 ** 0.5 * torch.sqrt(d2 + 1e-8)
        return self.log_scale.exp() * (1 + r) * torch.exp(-r)
