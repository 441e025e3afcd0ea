import torch


class Bearings:
    def __init__(self, seed, n=64):
        self.g = torch.Generator().manual_seed(seed)
        self.t = torch.arange(n).float() / n

    def batch(self, size=14):
        wear = torch.rand(size, 1, generator=self.g)
        carrier = torch.sin(40 * self.t * (1 + 0.3 * wear))
        spikes = (torch.rand(size, len(self.t), generator=self.g) < 0.15 * wear).float()
        x = carrier + 1.5 * spikes + 0.1 * torch.randn(size, len(self.t), generator=self.g)
        return x.unsqueeze(1), (1 - wear).squeeze(1)
