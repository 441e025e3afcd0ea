import math

import torch


def heat_residual(u, xt, kappa):
    xt = xt.requires_grad_()
    val = u(xt)
    d = torch.autograd.grad(val.sum(), xt, create_graph=True)[0]
    d2 = torch.autograd.grad(d[:, 0].sum(), xt, create_graph=True)[0]
    return d[:, 1] - kappa * d2[:, 0]


def initial(u, x):
    at0 = torch.cat([x, torch.zeros_like(x)], 1)
    return (u(at0) - torch.sin(math.pi * x)).pow(2).mean()


def boundary(u, t):
    left, right = torch.cat([torch.zeros_like(t), t], 1), torch.cat([torch.ones_like(t), t], 1)
    return u(left).pow(2).mean() + u(right).pow(2).mean()
