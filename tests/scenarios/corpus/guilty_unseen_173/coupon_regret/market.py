import torch


class CouponMarket:
    """Customers with sparse features; each coupon has a hidden linear uplift."""

    def __init__(self, n_features=12, n_coupons=5, seed=0):
        self.gen = torch.Generator().manual_seed(seed)
        self.uplift = 0.5 * torch.randn(n_coupons, n_features, generator=self.gen)
        self.n_features = n_features

    def visitors(self, n):
        x = torch.randn(n, self.n_features, generator=self.gen)
        return x * (torch.rand(n, self.n_features, generator=self.gen) < 0.5)

    def reward(self, x, coupon):
        p = torch.sigmoid((x * self.uplift[coupon]).sum(-1))
        return torch.bernoulli(p, generator=self.gen)

    def best(self, x):
        return torch.sigmoid(x @ self.uplift.t()).max(dim=1).values
