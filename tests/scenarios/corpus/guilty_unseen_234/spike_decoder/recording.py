import torch


class Recording:
    """Poisson spike counts driven by a low-dimensional latent."""

    def __init__(self, n_cells, n_latent, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.loading = 0.6 * torch.randn(n_latent, n_cells, generator=self.gen)
        self.base = 0.5 + torch.rand(n_cells, generator=self.gen)
        self.n_latent = n_latent

    def bin_batch(self, n):
        z = torch.randn(n, self.n_latent, generator=self.gen)
        rate = torch.exp((z @ self.loading).clamp(max=2.0)) * self.base
        return torch.poisson(rate, generator=self.gen)
