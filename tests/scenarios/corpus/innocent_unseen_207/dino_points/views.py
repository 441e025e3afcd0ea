import torch


def shape_stream(steps, batch, points, seed=83):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        raw = torch.randn(batch, points, 3, generator=gen)
        stretch = 0.3 + torch.rand(batch, 1, 3, generator=gen)
        yield raw / raw.norm(dim=-1, keepdim=True) * stretch


def crops(clouds):
    half = clouds.shape[1] // 2
    order = torch.randperm(clouds.shape[1])
    jitter = lambda part: part + 0.02 * torch.randn_like(part)
    return jitter(clouds[:, order[:half]]), jitter(clouds[:, order[half:]])
