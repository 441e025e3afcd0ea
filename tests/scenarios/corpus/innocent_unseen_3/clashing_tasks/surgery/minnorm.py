import torch

from .registry import method, per_task


@method
def mgda(losses, shared, heads):
    """Frank-Wolfe for the point of least norm in the hull of the task gradients"""
    G = per_task(losses, shared, heads)
    M = G @ G.T
    a = torch.full((len(G),), 1 / len(G))
    for k in range(12):
        t = int((M @ a).argmin())
        e = torch.zeros_like(a)
        e[t] = 1
        d = e - a
        step = (-(a @ M @ d) / (d @ M @ d + 1e-9)).clamp(0, 1)
        a = a + step * d
    return len(G) * (a @ G)
