import torch


def folded(n, g, points=120):
    t = torch.linspace(-1, 1, points)
    planet = torch.randint(0, 2, (n,), generator=g)
    depth = 0.5 + torch.rand(n, 1, generator=g)
    dur = 0.1 + 0.2 * torch.rand(n, 1, generator=g)
    box = torch.sigmoid((dur - t.abs()) * 40)
    vee = (1 - t.abs() / (1.6 * dur)).clamp_min(0)
    x = -depth * torch.where(planet[:, None] == 1, box, vee)
    return x + 0.25 * torch.randn(x.shape, generator=g), planet.float()


class Shard:
    def __init__(self, n, seed):
        self.x, self.y = folded(n, torch.Generator().manual_seed(seed))

    def micro(self, size):
        yield from zip(self.x.split(size), self.y.split(size))
