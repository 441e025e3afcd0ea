import torch


def blobs(n, dim, groups):
    centre = 2 * torch.randn(groups, dim)
    which = torch.randint(0, groups, (n,))
    return centre[which] + torch.randn(n, dim)


def jitter(x, sigma=0.2, drop=0.1):
    keep = (torch.rand_like(x) > drop).float()
    return (x + sigma * torch.randn_like(x)) * keep
