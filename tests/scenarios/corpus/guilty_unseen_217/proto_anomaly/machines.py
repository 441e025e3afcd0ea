import torch


class VibrationFeed:
    def __init__(self, regimes, length, batch):
        self.freq = torch.linspace(1.0, 4.0, regimes)
        self.t = torch.linspace(0, 6.28, length)
        self.batch = batch

    def __call__(self):
        r = torch.randint(0, len(self.freq), (self.batch,))
        x = torch.sin(self.freq[r, None] * self.t + torch.rand(self.batch, 1))
        return x + 0.2 * torch.randn_like(x), r
