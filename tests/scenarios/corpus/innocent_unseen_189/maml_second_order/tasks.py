import torch


class Lines:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def sample(self, k):
        a, b = torch.randn(2, generator=self.g)
        x = torch.rand(2 * k, 1, generator=self.g) * 4 - 2
        y = a * x + b + 0.3 * torch.sin(2 * x)
        return (x[:k], y[:k]), (x[k:], y[k:])
