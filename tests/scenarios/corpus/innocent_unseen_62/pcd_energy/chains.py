"""Reservoir of persistent Langevin chains."""
import random

import torch


class Reservoir:
    """Grows up to ``limit`` samples; afterwards new ones replace random old ones."""

    def __init__(self, limit, dim, fresh_share=0.05):
        self.limit, self.dim, self.fresh_share = limit, dim, fresh_share
        self.items = []

    def draw(self, n):
        if len(self.items) < n:
            return torch.randn(n, self.dim)
        x = torch.stack(random.sample(self.items, n))
        fresh = torch.rand(n) < self.fresh_share
        return torch.where(fresh[:, None], torch.randn(n, self.dim), x)

    def add(self, batch):
        for row in batch.detach().clone().unbind(0):
            if len(self.items) < self.limit:
                self.items.append(row)
            else:
                self.items[random.randrange(self.limit)] = row


def langevin(energy, x, n_steps, step, last_with_graph=True):
    """Walk downhill with noise; the last move keeps its graph in the parameters."""
    for k in range(n_steps):
        final = last_with_graph and k == n_steps - 1
        x = x.detach().requires_grad_()
        (g,) = torch.autograd.grad(energy(x).sum(), x, create_graph=final)
        x = x - 0.5 * step * g + (0.5 * step) ** 0.5 * torch.randn_like(x)
    return x
