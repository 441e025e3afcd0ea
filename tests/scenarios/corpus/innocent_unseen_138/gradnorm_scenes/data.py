import torch


def scene_batch(n, size=10):
    lin = torch.linspace(-1, 1, size)
    yy, xx = torch.meshgrid(lin, lin, indexing="ij")
    c = torch.rand(n, 2, 1, 1) - 0.5
    r2 = (xx - c[:, 0]) ** 2 + (yy - c[:, 1]) ** 2
    depth = torch.exp(-2 * r2)
    seg = (depth > 0.5).long() + (depth > 0.8).long()
    normal = torch.stack([xx - c[:, 0], yy - c[:, 1]], 1)
    img = depth + 0.1 * torch.randn_like(depth)
    return img[:, None], (depth[:, None], seg, normal)
