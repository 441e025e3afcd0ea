import torch
from torch import nn
import torch.nn.functional as F


class SNLinear(nn.Module):
    """Linear layer divided by a power-iteration estimate of its largest singular value."""

    def __init__(self, i, o):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(o, i) / i ** 0.5)
        self.bias = nn.Parameter(torch.zeros(o))
        self.register_buffer("u", F.normalize(torch.randn(o), dim=0))
        self.register_buffer("v", F.normalize(torch.randn(i), dim=0))

    def power_step(self):
        with torch.no_grad():
            self.v.copy_(F.normalize(self.weight.t() @ self.u, dim=0))
            self.u.copy_(F.normalize(self.weight @ self.v, dim=0))

    def forward(self, x):
        if self.training:
            self.power_step()
        u, v = self.u.clone(), self.v.clone()
        sigma = torch.dot(u, self.weight @ v)
        return F.linear(x, self.weight / sigma, self.bias)


class Critic(nn.Module):
    def __init__(self, h=32):
        super().__init__()
        self.net = nn.Sequential(
            SNLinear(2, h), nn.LeakyReLU(0.2, inplace=True),
            SNLinear(h, h), nn.LeakyReLU(0.2, inplace=True),
        )
        self.out = nn.Linear(h, 1)

    def forward(self, x):
        return self.out(self.net(x)).mean()

    @torch.no_grad()
    def clip(self, c):
        for p in self.out.parameters():
            p.clamp_(-c, c)


class Generator(nn.Module):
    def __init__(self, z, h=32):
        super().__init__()
        self.z = z
        self.net = nn.Sequential(nn.Linear(z, h), nn.ReLU(True), nn.Linear(h, h), nn.ReLU(True), nn.Linear(h, 2))

    def sample(self, n):
        return self.net(torch.randn(n, self.z))
