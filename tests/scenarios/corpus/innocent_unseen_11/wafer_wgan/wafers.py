import torch


def defect_maps(n, gen, side=16):
    axis = torch.linspace(-1, 1, side)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    cx, cy = (torch.rand(2, n, 1, 1, generator=gen) - 0.5)
    spot = torch.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / 0.08)
    edge = torch.sigmoid(12 * ((xx ** 2 + yy ** 2).sqrt() - 0.9))
    which = (torch.rand(n, 1, 1, generator=gen) < 0.6).float()
    return (which * spot + (1 - which) * edge).unsqueeze(1)
