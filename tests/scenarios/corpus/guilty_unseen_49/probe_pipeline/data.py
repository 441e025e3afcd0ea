import torch


class FeatureStore:
    """Stands in for features of a frozen backbone."""

    def __init__(self, dim, classes, seed):
        self.rng = torch.Generator().manual_seed(seed)
        self.means = torch.randn(classes, dim, generator=self.rng)
        self.shift = 0.7 * torch.randn(dim, generator=self.rng)

    def batch(self, n):
        y = torch.randint(len(self.means), (n,), generator=self.rng)
        noise = torch.randn(n, self.means.shape[1], generator=self.rng)
        return self.means[y] + self.shift + 1.5 * noise, y
