from contextlib import contextmanager
from functools import partial

import torch
import torch.nn.functional as F
from torch.func import functional_call


class Adapter:
    """Fast weights with learned rates; they exist only inside a task."""

    def __init__(self, net, steps, lr=0.05):
        self.net, self.steps = net, steps
        self.rates = {n: torch.tensor(lr, requires_grad=True) for n, _ in net.named_parameters()}
        self.cur = None

    def _reset(self):
        self.cur = dict(self.net.named_parameters())

    def _inner(self, x, y):
        err = F.mse_loss(functional_call(self.net, self.cur, (x,)), y)
        gs = torch.autograd.grad(err, tuple(self.cur.values()), create_graph=True)
        self.cur = {n: w - self.rates[n] * g for (n, w), g in zip(self.cur.items(), gs)}

    @contextmanager
    def task(self, support):
        self._reset()
        for _ in range(self.steps):
            self._inner(*support)
        try:
            yield partial(functional_call, self.net, self.cur)
        finally:
            self.cur = None
