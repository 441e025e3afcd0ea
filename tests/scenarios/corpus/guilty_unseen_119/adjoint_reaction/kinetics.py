import torch


def rhs(k, c):
    A, B = k[0], k[1]
    x, y = c[..., 0], c[..., 1]
    x2y = x * x * y
    return torch.stack([A - (B + 1) * x + x2y, B * x - x2y], -1)


def rhs_vjp(k, c, v):
    """v . d rhs / d(k, c)"""
    B = k[1]
    x, y = c[..., 0], c[..., 1]
    vx, vy = v[..., 0], v[..., 1]
    gk = torch.stack([vx.sum(), ((vy - vx) * x).sum()])
    gx = vx * (-(B + 1) + 2 * x * y) + vy * (B - 2 * x * y)
    gy = (vx - vy) * x * x
    return gk, torch.stack([gx, gy], -1)
