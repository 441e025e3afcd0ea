import torch


class Herd:
    def __init__(self, markers, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.effects = 0.3 * torch.randn(markers, generator=self.g)
        self.freq = 0.1 + 0.4 * torch.rand(markers, generator=self.g)

    def animals(self, n):
        p = self.freq.expand(n, -1)
        geno = torch.bernoulli(p, generator=self.g) + torch.bernoulli(p, generator=self.g) - 2 * self.freq
        yield_kg = geno @ self.effects + 0.4 * torch.randn(n, generator=self.g)
        return geno, yield_kg

    def season(self):
        """The breeding goal moves a little each season."""
        self.effects = self.effects + 0.003 * torch.randn(self.effects.shape, generator=self.g)
