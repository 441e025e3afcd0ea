# [cell 3] synthetic tiles
import torch
import torch.nn.functional as F


def blobs(n, size, g):
    coarse = torch.randn(n, 1, 5, 5, generator=g)
    return F.interpolate(coarse, size=(size, size), mode="bicubic", align_corners=True)


class Archive:
    def __init__(self, n, bands, size, seed=4):
        g = torch.Generator().manual_seed(seed)
        self.g = g
        field = blobs(n + 24, size, g)
        self.mask = (field > 0.4).float()
        gain = torch.linspace(0.6, 1.2, bands).view(1, bands, 1, 1)
        ground = 0.3 * torch.rand(n + 24, bands, 1, 1, generator=g)
        self.x = ground + gain * field.clamp(0, 1.5) + 0.1 * torch.randn(n + 24, bands, size, size, generator=g)
        self.n = n

    def shuffled(self, batch):
        order = torch.randperm(self.n, generator=self.g)
        for idx in order.split(batch):
            yield self.x[idx], self.mask[idx]

    def held_out(self):
        return self.x[self.n:], self.mask[self.n:]
