import torch


def scene_batch(n, size=16):
    centre = 2 * torch.rand(n, 2) - 1
    depth = 0.5 + torch.rand(n)
    g = torch.linspace(-1, 1, size)
    d2 = (g[None, :, None] - centre[:, :1, None]) ** 2 + (g[None, None, :] - centre[:, 1:, None]) ** 2
    image = torch.exp(-d2 * 8 * depth[:, None, None]) + 0.05 * torch.randn(n, size, size)
    slip = (centre.norm(dim=1) > 0.9).float()
    return image[:, None], centre, depth, slip
