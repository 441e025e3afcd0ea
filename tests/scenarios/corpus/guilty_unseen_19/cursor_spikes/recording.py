import torch


def windows(seed, streams, channels, limit, bins=2):
    """Poisson counts of cosine-tuned units along a smooth random walk of the hand."""
    g = torch.Generator().manual_seed(seed)
    tuning = torch.randn(2, channels, generator=g)
    vel = torch.zeros(streams, 2)
    for _ in range(limit):
        vel = 0.9 * vel + 0.3 * torch.randn(streams, 2, generator=g)
        rate = torch.nn.functional.softplus(vel @ tuning)
        yield torch.poisson(rate.expand(bins, streams, channels), generator=g), vel
