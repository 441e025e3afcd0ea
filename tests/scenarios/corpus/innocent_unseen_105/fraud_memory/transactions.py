import torch


class Account:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.habit = torch.randn(7, generator=self.g)

    def next(self):
        self.habit = self.habit + 0.1 * torch.randn(7, generator=self.g)
        fraud = (torch.rand(1, generator=self.g) < 0.3).float()
        noise = torch.randn(7, generator=self.g)
        x = self.habit + 0.4 * noise + fraud * 1.5 * noise.sign()
        return x, fraud.squeeze()
