import torch


class LoanBook:
    def __init__(self, features, seed=6):
        self.gen = torch.Generator().manual_seed(seed)
        self.w = torch.randn(2, features, generator=self.gen)
        self.features = features

    def draw(self, n):
        x = torch.randn(n, self.features, generator=self.gen)
        noise = 0.5 * torch.randn(n, 2, generator=self.gen)
        y = ((x @ self.w.T).sin() + noise > 0).float()
        return x, y[:, 0], y[:, 1]
