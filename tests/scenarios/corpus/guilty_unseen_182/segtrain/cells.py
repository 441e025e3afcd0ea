import torch


class CellImages:
    def __init__(self, n, size, cells=3):
        ax = torch.arange(size).float()
        yy, xx = torch.meshgrid(ax, ax, indexing="ij")
        c = torch.rand(n, cells, 2) * size
        r = 3 + 3 * torch.rand(n, cells)
        d = (yy - c[..., 0, None, None]) ** 2 + (xx - c[..., 1, None, None]) ** 2
        self.mask = (d < r[..., None, None] ** 2).any(1, keepdim=True).float()
        self.img = self.mask * 0.7 + 0.4 * torch.randn(self.mask.shape)

    def sample(self, k):
        i = torch.randint(0, len(self.img), (k,))
        return self.img[i], self.mask[i]
