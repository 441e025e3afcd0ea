import torch


class ViewPairs:
    """Two corrupted readings of the same latent spectrum."""

    def __init__(self, dim, batch, seed, latent=5):
        self.gen = torch.Generator().manual_seed(seed)
        self.mix = torch.randn(latent, dim, generator=self.gen)
        self.dim, self.batch, self.latent = dim, batch, latent

    def corrupt(self, x):
        mask = (torch.rand(x.shape, generator=self.gen) > 0.2).float()
        return x * mask + 0.2 * torch.randn(x.shape, generator=self.gen)

    def __iter__(self):
        while True:
            z = torch.randn(self.batch, self.latent, generator=self.gen)
            clean = torch.tanh(z @ self.mix)
            yield self.corrupt(clean), self.corrupt(clean)
