import math

import torch

NU = 0.01 / math.pi * 5


def d(u, v):
    return torch.autograd.grad(u, v, torch.ones_like(u), create_graph=True, retain_graph=True)[0]


def pde_residual(net, x, t):
    x.requires_grad_(True)
    t.requires_grad_(True)
    u = net(x, t)
    u_x, u_t = d(u, x), d(u, t)
    u_xx = d(u_x, x)
    return u_t + u * u_x - NU * u_xx


class BurgersSampler:
    """Fresh points each call, denser near the shock at x = 0."""

    def interior(self, n):
        x = torch.cat([2 * torch.rand(n // 2, 1) - 1, 0.2 * torch.randn(n - n // 2, 1)]).clamp(-1, 1)
        return x, torch.rand(n, 1)

    def initial(self, n):
        x = 2 * torch.rand(n, 1) - 1
        return x, -torch.sin(math.pi * x)

    def boundary(self, n):
        return (2 * torch.randint(0, 2, (n, 1)) - 1).float(), torch.rand(n, 1)
