import torch


def two_views(n, dim):
    base = torch.randn(n, dim)

    def augment(x):
        mask = (torch.rand_like(x) > 0.15).float()
        return x * mask + 0.1 * torch.randn_like(x)

    return augment(base), augment(base)
