import torch


def chirp_frames(steps, bands, streams, seed=17):
    gen = torch.Generator().manual_seed(seed)
    tag = torch.randint(3, (streams,), generator=gen)
    patterns = torch.randn(3, bands, generator=gen)
    for step in range(steps):
        flip = torch.rand(streams, generator=gen) < 0.1
        tag = torch.where(flip, torch.randint(3, (streams,), generator=gen), tag)
        yield patterns[tag] + 0.8 * torch.randn(streams, bands, generator=gen), tag
