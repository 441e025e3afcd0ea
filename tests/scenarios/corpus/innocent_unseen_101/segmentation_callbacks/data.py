import torch


def blob_batches(n, seed, size=16, batch=6):
    g = torch.Generator().manual_seed(seed)
    axis = torch.arange(size).float()
    for _ in range(n):
        centre = torch.rand(batch, 2, generator=g) * size
        radius = 2.0 + 3.0 * torch.rand(batch, 1, 1, generator=g)
        d2 = (axis[None, :, None] - centre[:, 0, None, None]) ** 2 + (axis[None, None, :] - centre[:, 1, None, None]) ** 2
        mask = (d2 < radius ** 2).float()
        image = mask + 0.6 * torch.randn(mask.shape, generator=g)
        yield image.unsqueeze(1), mask.unsqueeze(1)
