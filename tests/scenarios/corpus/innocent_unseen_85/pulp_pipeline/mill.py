import torch


class Mill:
    """Kappa number and brightness from seven process readings."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.w = torch.randn(7, 2, generator=self.g)
        self.drift = torch.zeros(7)

    def shift(self, n):
        self.drift = 0.99 * self.drift + 0.05 * torch.randn(7, generator=self.g)
        x = torch.randn(n, 7, generator=self.g) + self.drift
        y = torch.sin(x @ self.w * 0.5) + 0.1 * torch.randn(n, 2, generator=self.g)
        return x, y
