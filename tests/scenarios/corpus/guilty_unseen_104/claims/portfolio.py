import torch


class Portfolio:
    """Motor policies: exposure, rating factors, claim counts."""

    def __init__(self, n_factors=7, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.coef = 0.4 * torch.randn(n_factors, generator=self.gen)
        self.n_factors = n_factors

    def batches(self, size, count):
        for _ in range(count):
            x = torch.randn(size, self.n_factors, generator=self.gen)
            exposure = torch.rand(size, generator=self.gen).clamp_min(0.1)
            rate = exposure * torch.exp(x @ self.coef - 1.0 + 0.3 * x[:, 0] * x[:, 1])
            yield x, exposure, torch.poisson(rate, generator=self.gen)
