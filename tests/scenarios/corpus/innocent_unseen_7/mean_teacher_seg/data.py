import torch

N = 28
_y, _x = torch.meshgrid(torch.arange(N) / N, torch.arange(N) / N, indexing="ij")


def _cells(n, g=None):
    pos = torch.rand(n, 3, 2, 1, 1, generator=g)
    rad = 0.06 + 0.1 * torch.rand(n, 3, 1, 1, generator=g)
    d = ((_x - pos[:, :, 0]) ** 2 + (_y - pos[:, :, 1]) ** 2).sqrt()
    mask = (d < rad).any(1, keepdim=True).float()
    img = 0.8 * mask + 0.3 * torch.randn(n, 1, N, N, generator=g) + 0.2 * _x
    return img, mask


def labelled(n):
    return _cells(n)


def unlabelled(n, seed):
    return _cells(n, torch.Generator().manual_seed(seed))[0]
