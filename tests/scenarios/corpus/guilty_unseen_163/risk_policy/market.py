import torch


class Market:
    def __init__(self, n_assets=10, n_feat=6, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.g = g
        self.n_feat = n_feat
        self.loading = 0.1 * torch.randn(n_feat, n_assets, generator=g)
        self.risk = torch.rand(n_assets, generator=g) + 0.1
        self.drift = 0.08 * self.risk

    def days(self, n):
        x = torch.randn(n, self.n_feat, generator=self.g)
        noise = torch.randn(n, self.risk.numel(), generator=self.g)
        ret = self.drift + x @ self.loading + 0.1 * self.risk * noise
        return x, ret
