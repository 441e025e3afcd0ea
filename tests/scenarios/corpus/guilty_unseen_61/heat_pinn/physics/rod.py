"""u_t = a u_xx on [0, 1], cold ends, one sine bump at t = 0."""
import math

import torch
from torch import nn


class RodNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(),
                                 nn.Linear(width, 1))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=-1))


class HeatRod:
    def __init__(self, diffusivity, points):
        self.a, self.n = diffusivity, points

    def residual(self, net):
        x = torch.rand(self.n, 1, requires_grad=True)
        t = torch.rand(self.n, 1, requires_grad=True)
        u = net(x, t)
        u_x, u_t = torch.autograd.grad(u.sum(), (x, t), create_graph=True)
        u_xx, = torch.autograd.grad(u_x.sum(), x, create_graph=True)
        return u_t - self.a * u_xx

    def terms(self, net):
        x, t = torch.rand(self.n, 1), torch.rand(self.n, 1)
        wall = torch.cat([net(torch.zeros_like(t), t), net(torch.ones_like(t), t)])
        start = net(x, torch.zeros_like(x)) - torch.sin(math.pi * x)
        return {"pde": self.residual(net).pow(2).mean(), "initial": start.pow(2).mean(),
                "walls": wall.pow(2).mean()}
