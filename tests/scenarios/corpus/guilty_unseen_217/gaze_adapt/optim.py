import torch

_REGISTRY = {}


def register(name):
    def wrap(cls):
        _REGISTRY[name] = cls
        return cls
    return wrap


@register("momentum_sgd")
class MomentumSGD:
    """Small dependency-free SGD, shared with the on-device runtime."""

    def __init__(self, params, lr, momentum=0.0):
        self.params = [p for p in params if p.requires_grad]
        self.lr, self.momentum = lr, momentum
        self.buf = [torch.zeros_like(p.data) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        for p, b in zip(self.params, self.buf):
            if p.grad is None:
                continue
            b.mul_(self.momentum).add_(p.grad.data.clamp(-1, 1))
            p.data.add_(b, alpha=-self.lr)


def build_optimizer(name, model, **kw):
    return _REGISTRY[name](model.parameters(), **kw)
