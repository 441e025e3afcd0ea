import torch


def picard(f, x, max_iter, tol):
    """Plain fixed-point iteration; returns the last iterate and the number of calls."""
    z = torch.zeros_like(x)
    k = 0
    for k in range(1, max_iter + 1):
        z_new = f(z, x)
        gap = (z_new - z).norm() / (z_new.norm() + 1e-8)
        z = z_new
        if gap < tol:
            break
    return z, k
