import torch


class SensorStream:
    """Slowly rotating linear target with a mild nonlinearity."""

    def __init__(self, dim, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.w = torch.randn(dim, generator=self.g)
        self.dim = dim

    def next_batch(self, n, advance=True):
        if advance:
            self.w = self.w + 0.02 * torch.randn(self.dim, generator=self.g)
        x = torch.randn(n, self.dim, generator=self.g)
        y = torch.tanh(x @ self.w) + 0.05 * torch.randn(n, generator=self.g)
        return x, y
