import torch


class Heavyball:
    def __init__(self, params, lr, beta=0.9):
        self.params = params
        self.lr = lr
        self.beta = beta
        self.buf = [torch.zeros_like(p) for p in params]

    @torch.no_grad()
    def step(self, grads):
        for p, v, g in zip(self.params, self.buf, grads):
            v.mul_(self.beta).add_(g.clamp(-1.0, 1.0))
            p -= self.lr * v  # <- culprit
