import torch


def phantom_batch(n, size=24):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    grade = torch.randint(0, 3, (n,))
    c = torch.rand(n, 2, 1, 1) * size * 0.5 + size * 0.25
    r = 3.0 + 2.0 * grade.float()[:, None, None]
    mask = ((yy - c[:, 0]) ** 2 + (xx - c[:, 1]) ** 2 < r ** 2).float().unsqueeze(1)
    return mask * 0.7 + 0.2 * torch.randn(n, 1, size, size), mask, grade
