import torch
import torch.nn.functional as F


class GlyphSampler:
    """Random binary glyph prototypes, rotated by a small angle."""

    def __init__(self, size, classes, seed):
        g = torch.Generator().manual_seed(seed)
        coarse = (torch.rand(classes, 1, 4, 4, generator=g) > 0.5).float()
        self.proto = F.interpolate(coarse, size=(size, size), mode="nearest")
        self.gen = g

    def batch(self, n):
        y = torch.randint(0, len(self.proto), (n,), generator=self.gen)
        ang = (torch.rand(n, generator=self.gen) - 0.5) * 1.2
        c, s, z = ang.cos(), ang.sin(), torch.zeros(n)
        theta = torch.stack([torch.stack([c, -s, z], 1), torch.stack([s, c, z], 1)], 1)
        grid = F.affine_grid(theta, (n, 1, *self.proto.shape[-2:]), align_corners=False)
        img = F.grid_sample(self.proto[y], grid, align_corners=False)
        return img, y, ang
