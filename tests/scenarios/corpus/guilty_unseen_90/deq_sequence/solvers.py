import torch


def fixed_point(f, z, max_iter=30, tol=1e-4):
    for _ in range(max_iter):
        nxt = f(z)
        res = (nxt - z).norm() / (1e-6 + nxt.norm())
        z = nxt
        if res < tol:
            break
    return z, float(res)


def neumann(vjp, grad, terms):
    """sum_{k<=terms} (J^T)^k grad"""
    total, term = grad, grad
    for _ in range(terms):
        term = vjp(term)
        total = total + term
    return total


def make_vjp(out, inp):
    def vjp(v):
        return torch.autograd.grad(out, inp, v)[0]  # <- culprit
    return vjp
