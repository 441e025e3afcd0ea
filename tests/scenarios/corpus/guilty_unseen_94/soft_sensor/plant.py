import torch


class ColumnStream:
    """Simulated plant tags: feed, reflux, reboiler duty, two temperatures."""

    def __init__(self, n_columns, n_tags, samples=2):
        self.n, self.k, self.s = n_columns, n_tags, samples
        self.g = torch.Generator().manual_seed(99)
        self.gain = torch.randn(n_tags, generator=self.g) / n_tags ** 0.5
        self.level = torch.zeros(n_columns)
        self.drift = torch.zeros(n_columns, n_tags)

    def minute(self):
        us, ys = [], []
        for _ in range(self.s):
            self.drift = 0.95 * self.drift + 0.3 * torch.randn(self.n, self.k, generator=self.g)
            self.level = 0.85 * self.level + 0.15 * (self.drift @ self.gain)
            us.append(self.drift)
            ys.append(self.level + 0.01 * torch.randn(self.n, generator=self.g))
        return torch.stack(us, 1), torch.stack(ys, 1)
