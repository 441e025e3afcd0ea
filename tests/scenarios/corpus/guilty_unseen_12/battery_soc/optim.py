"""Momentum SGD as the embedded port has it."""
import torch


class PlainMomentum:
    def __init__(self, params, lr, momentum=0.8, max_norm=1.0):
        self.params = [p for p in params if p.requires_grad]
        self.lr, self.momentum, self.max_norm = lr, momentum, max_norm
        self.velocity = [torch.zeros_like(p.data) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        torch.nn.utils.clip_grad_norm_(self.params, self.max_norm)
        for p, v in zip(self.params, self.velocity):
            v.mul_(self.momentum).add_(p.grad)
            p.data.sub_(self.lr * v)
