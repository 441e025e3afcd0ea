import torch


def _grad(f, z):
    return torch.autograd.grad(f.sum(), z, create_graph=True)[0]


def heat_residual(T, D, z):
    g = _grad(T(z), z)
    Tx, Tt = g[:, :1], g[:, 1:]
    flux = D(z[:, :1]) * Tx
    return Tt - _grad(flux, z)[:, :1], Tx


def grad_penalty(res, z):
    return _grad(res, z).pow(2).mean()
