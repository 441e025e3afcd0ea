import torch
import torch.nn as nn


class Coupling(nn.Module):
    def __init__(self, mask, h=32):
        super().__init__()
        self.register_buffer("mask", mask)
        self.s = nn.Sequential(nn.Linear(2, h), nn.LeakyReLU(), nn.Linear(h, 2), nn.Tanh())
        self.t = nn.Sequential(nn.Linear(2, h), nn.LeakyReLU(), nn.Linear(h, 2))

    def forward(self, z):
        keep = z * self.mask
        s, t = self.s(keep) * (1 - self.mask), self.t(keep) * (1 - self.mask)
        return keep + (1 - self.mask) * (z * s.exp() + t)

    def inverse(self, x):
        keep = x * self.mask
        s, t = self.s(keep) * (1 - self.mask), self.t(keep) * (1 - self.mask)
        return keep + (1 - self.mask) * (x - t) * (-s).exp(), -s.sum(1)


class RealNVP(nn.Module):
    def __init__(self, layers):
        super().__init__()
        masks = [torch.tensor([0.0, 1.0]), torch.tensor([1.0, 0.0])]
        self.layers = nn.ModuleList(Coupling(masks[i % 2]) for i in range(layers))
        self.register_buffer("mean", torch.zeros(2))

    def log_prob(self, x):
        ld = torch.zeros(len(x))
        for layer in reversed(self.layers):
            x, d = layer.inverse(x)
            ld += d
        base = torch.distributions.Normal(self.mean, 1.0).log_prob(x).sum(1)
        return base + ld

    @torch.no_grad()
    def sample(self, n):
        z = torch.randn(n, 2)
        for layer in self.layers:
            z = layer(z)
        return z
