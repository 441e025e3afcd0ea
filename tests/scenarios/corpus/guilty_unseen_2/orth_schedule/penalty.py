import torch
from torch import nn


class LazyOrthogonality:
    """||W W^T - I||^2 over the linear layers; the products are costly, so they are made anew only now and then."""

    def __init__(self, model, every):
        self.layers = [m for m in model.modules() if isinstance(m, nn.Linear)]
        self.every = every
        self._age = 0
        self._cached = None

    def _compute(self):
        total = 0.0
        for m in self.layers:
            w = m.weight
            g = w @ w.t() if w.size(0) <= w.size(1) else w.t() @ w
            total = total + (g - torch.eye(g.size(0))).pow(2).sum()
        return total

    def __call__(self):
        if self._cached is None or self._age >= self.every:
            self._cached = self._compute()  # <- culprit
            self._age = 0
        self._age += 1
        return self._cached  # <- culprit
