import torch
from torch import nn


class GradNorm:
    def __init__(self, n, alpha):
        self.weights = nn.Parameter(torch.ones(n))
        self.alpha = alpha
        self.initial = None
        self.n = n
        self.rates = None

    def weighted(self, losses):
        if self.initial is None:
            self.initial = losses.detach()
        return (self.weights.detach() * losses).sum()

    def set_weight_grad(self, losses, shared):
        """Sets weights.grad only; the model's gradients are those of the weighted sum."""
        norms = []
        for i in range(self.n):
            last = i == self.n - 1
            (g,) = torch.autograd.grad(losses[i], shared, retain_graph=not last)
            norms.append((self.weights[i] * g).norm())
        norms = torch.stack(norms)
        ratio = losses.detach() / self.initial
        rate = ratio / ratio.mean()
        self.rates = rate if self.rates is None else 0.9 * self.rates + 0.1 * rate
        target = (norms.mean() * self.rates ** self.alpha).detach()
        gap = (norms - target).abs().sum()
        (self.weights.grad,) = torch.autograd.grad(gap, self.weights)

    @torch.no_grad()
    def renormalize(self):
        self.weights.clamp_(min=0.05)
        self.weights.mul_(self.n / self.weights.sum())
