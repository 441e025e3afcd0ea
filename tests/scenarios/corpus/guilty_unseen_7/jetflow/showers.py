import torch


class ShowerToy(torch.utils.data.IterableDataset):
    """1, 2 or 3 prongs with soft radiation."""

    def __init__(self, batch=32, maxn=30, seed=0):
        self.batch, self.maxn = batch, maxn
        self.gen = torch.Generator().manual_seed(seed)

    def __iter__(self):
        g = self.gen
        while True:
            y = torch.randint(3, (self.batch,), generator=g)
            axes = torch.randn(self.batch, 3, 2, generator=g) * 0.4
            which = (torch.rand(self.batch, self.maxn, generator=g) * (y[:, None] + 1)).long()
            pos = torch.gather(axes, 1, which[..., None].expand(-1, -1, 2))
            pos = pos - pos.mean(1, keepdim=True) + 0.05 * torch.randn(self.batch, self.maxn, 2, generator=g)
            pt = torch.rand(self.batch, self.maxn, 1, generator=g) ** 2
            n = torch.randint(10, self.maxn + 1, (self.batch,), generator=g)
            mask = (torch.arange(self.maxn)[None] < n[:, None]).float()
            yield torch.cat([pos, pos ** 2, pt], -1), mask, y
