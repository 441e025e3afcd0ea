import math

import torch


class Cosine:
    def __init__(self, T):
        s = torch.arange(T + 1) / T
        f = torch.cos((s + 0.008) / 1.008 * math.pi / 2) ** 2
        self.beta = (1 - f[1:] / f[:-1]).clamp(max=0.9)
        self.abar = torch.cumprod(1 - self.beta, 0)
        self.T = T

    def noise(self, x0, t):
        eps = torch.randn_like(x0)
        a = self.abar[t].view(-1, 1, 1)
        return a.sqrt() * x0 + (1 - a).sqrt() * eps, eps

    @torch.no_grad()
    def sample(self, net, shape):
        x = torch.randn(shape)
        for i in range(self.T - 1, -1, -1):
            t = torch.full((shape[0],), i)
            x = (x - self.beta[i] / (1 - self.abar[i]).sqrt() * net(x, t)) / (1 - self.beta[i]).sqrt()
            x = x + (self.beta[i].sqrt() * torch.randn(shape) if i else 0)
        return x
