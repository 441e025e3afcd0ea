import math

import torch


class Lion:
    """Sign of an interpolated momentum, decoupled weight decay."""

    def __init__(self, params, lr, betas=(0.9, 0.99), weight_decay=0.0):
        self.params = [p for p in params if p.requires_grad]
        self.lr, self.betas, self.weight_decay = lr, betas, weight_decay
        self.exp_avg = [torch.zeros_like(p.data) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        b1, b2 = self.betas
        for p, m in zip(self.params, self.exp_avg):
            if p.grad is None:
                continue
            g = p.grad.data
            direction = torch.sign(b1 * m + (1 - b1) * g)
            p.data.mul_(1 - self.lr * self.weight_decay).add_(direction, alpha=-self.lr)
            m.mul_(b2).add_(g, alpha=1 - b2)


def cosine_with_floor(peak, total, floor=0.1):
    def at(step):
        return peak * (floor + (1 - floor) * 0.5 * (1 + math.cos(math.pi * step / total)))

    return at
