import torch
import torch.nn.functional as F


class TextureStream:
    """Random gratings with noise; low resolution by average pooling."""

    def __init__(self, batch, size=24, seed=5):
        self.batch, self.size = batch, size
        self.gen = torch.Generator().manual_seed(seed)
        ax = torch.linspace(0, 6.28, size)
        self.yy, self.xx = torch.meshgrid(ax, ax, indexing="ij")

    def next(self):
        p = torch.rand(self.batch, 3, 1, 1, generator=self.gen)
        hi = torch.sin(1 + 4 * p[:, :1] * self.xx + 4 * p[:, 1:2] * self.yy + 6 * p[:, 2:])
        hi = 0.5 + 0.4 * hi + 0.05 * torch.randn(hi.shape, generator=self.gen)
        return F.avg_pool2d(hi, 2), hi
