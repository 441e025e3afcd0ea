import torch


class RandomTrends:
    """Random-walk series with slowly changing slope and observation noise."""

    def __init__(self, series, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.level = torch.randn(series, generator=self.g)
        self.slope = 0.05 * torch.randn(series, generator=self.g)

    def __iter__(self):
        return self

    def __next__(self):
        self.slope = 0.99 * self.slope + 0.005 * torch.randn(self.slope.shape, generator=self.g)
        self.level = self.level + self.slope
        return self.level + 0.2 * torch.randn(self.level.shape, generator=self.g)
