"""Parallel-beam projector on a small pixel grid."""
import math

import torch


def ray_matrix(size, n_angles, n_bins):
    """Dense (rays x pixels) matrix of nearest-bin line integrals."""
    c = (torch.arange(size) - (size - 1) / 2.0)
    yy, xx = torch.meshgrid(c, c, indexing="ij")
    rows = []
    for a in range(n_angles):
        th = math.pi * a / n_angles
        s = xx * math.cos(th) + yy * math.sin(th)
        bins = ((s / (size * 0.75)) + 0.5) * n_bins
        bins = bins.floor().clamp(0, n_bins - 1).long().flatten()
        block = torch.zeros(n_bins, size * size)
        block[bins, torch.arange(size * size)] = 1.0
        rows.append(block)
    return torch.cat(rows) / size


def phantom(size):
    """Two ellipses in a disc."""
    c = torch.linspace(-1, 1, size)
    yy, xx = torch.meshgrid(c, c, indexing="ij")
    img = ((xx ** 2 + yy ** 2) < 0.8).float() * 0.5
    img += (((xx - 0.3) / 0.25) ** 2 + ((yy + 0.1) / 0.4) ** 2 < 1).float() * 0.5
    img -= (((xx + 0.35) / 0.2) ** 2 + ((yy - 0.2) / 0.3) ** 2 < 1).float() * 0.3
    return img.flatten()
