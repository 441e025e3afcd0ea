import math

import torch


def _d(y, x):
    return torch.autograd.grad(y, x, torch.ones_like(y), create_graph=True)[0]


def pde(net, t, x, nu):
    t = t.requires_grad_()
    x = x.requires_grad_()
    u = net(torch.cat([t, x], 1))
    u_t, u_x = _d(u, t), _d(u, x)
    u_xx = _d(u_x, x)
    return (u_t + u * u_x - nu * u_xx).pow(2).mean()


def initial(net, x):
    u = net(torch.cat([torch.zeros_like(x), x], 1))
    return (u + torch.sin(math.pi * x)).pow(2).mean()


def boundary(net, t):
    one = torch.ones_like(t)
    left, right = net(torch.cat([t, -one], 1)), net(torch.cat([t, one], 1))
    return left.pow(2).mean() + right.pow(2).mean()
