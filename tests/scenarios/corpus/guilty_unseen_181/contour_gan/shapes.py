import math

import torch


def real_contours(n, n_points):
    """Closed wobbly curves, like cell outlines."""
    phi = torch.linspace(0, 2 * math.pi, n_points + 1)[:-1]
    radius = 0.5 + 0.1 * torch.randn(n, 1)
    lobes = torch.randint(2, 5, (n, 1)).float()
    r = radius + 0.08 * torch.sin(lobes * phi + 6.28 * torch.rand(n, 1))
    return torch.stack([r * torch.cos(phi), r * torch.sin(phi)], dim=1).clamp(-1, 1)
