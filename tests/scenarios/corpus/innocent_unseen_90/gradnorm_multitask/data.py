import torch

AX = torch.arange(10).float()


def blobs(n):
    pos = torch.rand(n, 2)
    big = torch.randint(0, 2, (n,))
    r = 1.0 + big.float()[:, None, None]
    d2 = (AX - 9 * pos[:, :1])[:, :, None] ** 2 + (AX - 9 * pos[:, 1:])[:, None, :] ** 2
    img = torch.exp(-d2 / r ** 2) + 0.1 * torch.randn(n, 10, 10)
    return img[:, None], big, pos
