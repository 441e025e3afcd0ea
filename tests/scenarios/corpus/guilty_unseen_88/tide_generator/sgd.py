"""SGD by hand, it is for the class so I am not allowed torch.optim."""
import torch


class PlainMomentum:
    def __init__(self, params, lr, momentum=0.0, clip=None):
        self.params = list(params)
        self.lr, self.mu, self.clip = lr, momentum, clip
        self.buf = [torch.zeros_like(p.data) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        if self.clip:
            norm = sum((p.grad.data ** 2).sum() for p in self.params).sqrt()
            scale = min(1.0, self.clip / (norm.item() + 1e-8))
        else:
            scale = 1.0
        for p, b in zip(self.params, self.buf):
            b.mul_(self.mu).add_(p.grad.data, alpha=scale)
            p.data -= self.lr * b
