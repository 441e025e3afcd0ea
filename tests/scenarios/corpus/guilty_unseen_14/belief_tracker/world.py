import torch


def sweeps(targets, seed):
    gen = torch.Generator().manual_seed(seed)
    pos = torch.randn(targets, 2, generator=gen)
    heading = torch.rand(targets, generator=gen) * 6.28
    while True:
        heading = heading + 0.15 * torch.randn(targets, generator=gen)
        vel = 0.08 * torch.stack((heading.cos(), heading.sin()), -1)
        pos = 0.98 * pos + vel
        rng = pos.norm(dim=-1) + 0.03 * torch.randn(targets, generator=gen)
        bearing = torch.atan2(pos[:, 1], pos[:, 0]) + 0.03 * torch.randn(targets, generator=gen)
        yield torch.stack((rng, bearing.cos(), bearing.sin()), -1), pos.clone()
