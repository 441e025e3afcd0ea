import torch


def spiral(n, arms=3, dims=8):
    y = torch.randint(arms, (n,))
    r = torch.rand(n) * 0.9 + 0.1
    a = 3.0 * r + y * (2 * torch.pi / arms)
    flat = torch.stack([r * a.cos(), r * a.sin()], 1)
    lift = torch.linspace(-1, 1, 2 * dims).view(2, dims)
    return flat @ lift + 0.02 * torch.randn(n, dims) + torch.cat([flat, torch.zeros(n, dims - 2)], 1), y


def labelled_and_unlabelled(n_l=48, n_u=600):
    xl, yl = spiral(n_l)
    xu, yu = spiral(n_u)
    return xl, yl, xu, yu


def jitter(x, s=0.05):
    return x + s * torch.randn_like(x)
