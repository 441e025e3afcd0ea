import torch


def scan_batch(n, size=12):
    ax = torch.arange(size, dtype=torch.float32)
    c = torch.rand(n, 2) * 8 + 2
    d2 = (ax[None, :, None] - c[:, 0, None, None]) ** 2 + (ax[None, None, :] - c[:, 1, None, None]) ** 2
    mask = (d2 < 6).float()[:, None]
    return mask + 0.4 * torch.randn_like(mask), mask
