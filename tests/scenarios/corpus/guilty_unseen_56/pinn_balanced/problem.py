import math

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.seq = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self, x, t):
        return self.seq(torch.cat([x, t], 1))


def d(u, v):
    return torch.autograd.grad(u.sum(), v, create_graph=True)[0]


class Heat:
    """u_t = nu u_xx on [0,1], u(x,0)=sin(pi x), u(0,t)=u(1,t)=0"""

    nu = 0.1

    def residual(self, net, n):
        x = torch.rand(n, 1, requires_grad=True)
        t = torch.rand(n, 1, requires_grad=True)
        u = net(x, t)
        return (d(u, t) - self.nu * d(d(u, x), x)).pow(2).mean()

    def terms(self, net, n):
        x, t = torch.rand(n, 1), torch.rand(n, 1)
        zero = torch.zeros(n, 1)
        ic = (net(x, zero) - torch.sin(math.pi * x)).pow(2).mean()
        bc = net(zero, t).pow(2).mean() + net(zero + 1, t).pow(2).mean()
        return {"ic": ic, "bc": bc}
