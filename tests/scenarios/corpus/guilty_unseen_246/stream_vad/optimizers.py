import torch

from registry import register


@register("optim", "plain_rms")
class PlainRms:
    """Same arithmetic as the on-device learner."""

    def __init__(self, params, lr, beta=0.95):
        self.params = params
        self.lr = lr
        self.beta = beta
        self.scale = [torch.zeros_like(p) for p in params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        for p, s in zip(self.params, self.scale):
            g = p.grad
            s.mul_(self.beta).addcmul_(g, g, value=1 - self.beta)
            p.data -= self.lr * g / (s.sqrt() + 1e-3)
