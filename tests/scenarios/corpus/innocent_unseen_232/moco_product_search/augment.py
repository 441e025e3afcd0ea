import torch


class ProductViews:
    def __init__(self, n_products, dim, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.base = torch.randn(n_products, dim, generator=self.gen)

    def _view(self, x):
        keep = (torch.rand(x.shape, generator=self.gen) > 0.2).float()
        return x * keep + 0.1 * torch.randn(x.shape, generator=self.gen)

    def pair(self, n):
        ids = torch.randint(0, len(self.base), (n,), generator=self.gen)
        x = self.base[ids]
        return self._view(x), self._view(x)
