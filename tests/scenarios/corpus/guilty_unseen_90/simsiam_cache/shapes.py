import torch


class ShapeStream:
    def __init__(self, size, batch, seed):
        self.size, self.batch = size, batch
        self.g = torch.Generator().manual_seed(seed)

    def __iter__(self):
        ax = torch.arange(self.size).float()
        while True:
            c = torch.rand(self.batch, 2, 1, generator=self.g) * self.size
            r = 1.5 + 2 * torch.rand(self.batch, 1, 1, generator=self.g)
            d2 = (ax - c[:, 0])[:, :, None] ** 2 + (ax - c[:, 1])[:, None, :] ** 2
            img = (d2 < r ** 2).float()
            col = torch.rand(self.batch, 3, 1, 1, generator=self.g)
            yield img[:, None] * col


class TwoViews:
    def __init__(self, source):
        self.source = source

    def __iter__(self):
        for img in self.source:
            shift = 0.4 * torch.randn(len(img), 3)
            a = img + 0.05 * torch.randn_like(img)
            b = torch.flip(img, [-1]) + shift[:, :, None, None]
            yield a, b, shift
