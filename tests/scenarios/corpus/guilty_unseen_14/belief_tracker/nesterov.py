import torch


class Nesterov:
    """Works on .data, as the toolbox has done since 0.3."""

    def __init__(self, params, lr, momentum, max_norm=1.0):
        self.params = list(params)
        self.lr, self.momentum, self.max_norm = lr, momentum, max_norm
        self.velocity = [torch.zeros_like(p.data) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def scale_lr(self, factor):
        self.lr *= factor

    def step(self):
        norm = torch.stack([p.grad.norm() for p in self.params if p.grad is not None]).norm().item()
        clip = min(1.0, self.max_norm / (norm + 1e-8))
        for p, v in zip(self.params, self.velocity):
            if p.grad is None:
                continue
            g = p.grad * clip
            v.mul_(self.momentum).add_(g)
            p.data.add_(g + self.momentum * v, alpha=-self.lr)
