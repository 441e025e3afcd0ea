import torch


class Mixture:
    """Regression batches whose noise grows with the level."""

    def __init__(self, n_in, levels, seed=5):
        self.gen = torch.Generator().manual_seed(seed)
        self.n_in = n_in
        self.levels = levels
        self.w = torch.randn(n_in, generator=self.gen) / n_in ** 0.5

    def draw(self, level, n):
        x = torch.randn(n, self.n_in, generator=self.gen)
        noise = 0.1 * (level + 1) * torch.randn(n, generator=self.gen)
        return x, torch.sin(x @ self.w) + noise

    def next_level(self, level, bin_):
        if bin_ <= 1:
            return min(level + 1, self.levels - 1)
        return max(level - 1, 0)
