import math

import torch
from torch import nn


class FieldNet(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1)
        )

    def forward(self, xt):
        return self.body(xt)


class HeatEquation:
    def __init__(self, alpha):
        self.alpha = alpha

    def residual(self, net, xt):
        xt = xt.clone().requires_grad_(True)
        u = net(xt)
        du, = torch.autograd.grad(u.sum(), xt, create_graph=True)
        u_x, u_t = du[:, :1], du[:, 1:]
        u_xx = torch.autograd.grad(u_x.sum(), xt, create_graph=True)[0][:, :1]
        return u_t - self.alpha * u_xx

    def initial(self, n):
        x = torch.rand(n, 1)
        return torch.cat([x, torch.zeros_like(x)], dim=1), torch.sin(math.pi * x)

    def boundary(self, n):
        side = torch.randint(2, (n, 1)).float()
        return torch.cat([side, torch.rand(n, 1)], dim=1)
