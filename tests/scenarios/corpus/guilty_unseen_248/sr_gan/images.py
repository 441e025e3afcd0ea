import torch
import torch.nn.functional as F


def lowres_pairs(n, size=24):
    """Random smooth blobs with a sharp edge: (12x12 input, 24x24 target)"""
    noise = torch.randn(n, 1, 6, 6)
    hr = F.interpolate(noise, size=(size, size), mode="bicubic", align_corners=False)
    edge = torch.randint(4, size - 4, (n,))
    for i in range(n):
        hr[i, :, :, edge[i]:] += 1.0
    hr = torch.tanh(hr)
    lr = F.avg_pool2d(hr, 2)
    return lr, hr
