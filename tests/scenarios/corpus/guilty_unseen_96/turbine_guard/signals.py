import torch


class Nacelle:
    """Spectra with a rotor line, a gear line and, on every third window, a broadband burst."""

    def __init__(self, bins, batch, seed):
        self.bins, self.batch = bins, batch
        self.gen = torch.Generator().manual_seed(seed)
        f = torch.arange(bins, dtype=torch.float32)
        self.shape = torch.exp(-(f - 5) ** 2 / 3) + 0.6 * torch.exp(-(f - 19) ** 2 / 5)

    def window(self, i):
        gain = 0.8 + 0.4 * torch.rand(self.batch, 1, generator=self.gen)
        x = gain * self.shape + 0.05 * torch.randn(self.batch, self.bins, generator=self.gen).abs()
        if i % 3 == 2:
            x = x + 1.5 * torch.rand(self.batch, self.bins, generator=self.gen)
        return x
