import torch


class Library:
    def __init__(self, classes, bands):
        self.rng = torch.Generator().manual_seed(0)
        self.means = torch.randn(classes, bands, generator=self.rng)

    def draw(self, n):
        y = torch.randint(0, len(self.means), (n,), generator=self.rng)
        return self.means[y] + 0.4 * torch.randn(n, self.means.shape[1], generator=self.rng), y
