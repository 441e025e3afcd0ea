import torch


def planted(n, classes):
    y = torch.arange(n) % classes
    same = (y[:, None] == y[None]).float()
    a = (torch.rand(n, n) < 0.05 + 0.25 * same).float()
    a = ((a + a.t()) > 0).float() + torch.eye(n)
    dinv = a.sum(1).rsqrt()
    x = torch.eye(classes)[y].repeat(1, 4) + torch.randn(n, 4 * classes)
    return x, dinv[:, None] * a * dinv[None], y, torch.rand(n) < 0.4
