import torch


class HouseholdStream:
    n_features = 9

    def __init__(self, batch):
        self.batch = batch
        self.g = torch.Generator().manual_seed(11)
        self.w = torch.randn(self.n_features, 3, generator=self.g)

    def next(self):
        x = torch.randn(self.batch, self.n_features, generator=self.g)
        y = x @ self.w + 0.1 * torch.randn(self.batch, 3, generator=self.g)
        return x, y[:, 0], 2.0 * y[:, 1].tanh(), (y[:, 2] > 0).float()
