import torch


class ErgSessions:
    """2k ergometer splits -> race time, per crew."""

    def __init__(self, n_features=12, seed=5):
        self.gen = torch.Generator().manual_seed(seed)
        self.true_w = torch.randn(n_features, generator=self.gen)
        self.n_features = n_features

    def draw(self, n):
        x = torch.randn(n, self.n_features, generator=self.gen)
        noise = 0.1 * torch.randn(n, generator=self.gen)
        y = torch.tanh(x @ self.true_w * 0.5) + noise
        return x, y.unsqueeze(1)
