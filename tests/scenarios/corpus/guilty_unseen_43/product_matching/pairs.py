import torch


class PairStream:
    def __init__(self, n_products, d_text, d_image, batch, seed=4):
        self.g = torch.Generator().manual_seed(seed)
        latent = torch.randn(n_products, 8, generator=self.g)
        self.text = latent @ torch.randn(8, d_text, generator=self.g)
        self.image = latent @ torch.randn(8, d_image, generator=self.g)
        self.batch = batch

    def take(self, n):
        for _ in range(n):
            idx = torch.randperm(len(self.text), generator=self.g)[: self.batch]
            noise = 0.2 * torch.randn(self.batch, self.image.shape[1], generator=self.g)
            yield self.text[idx], self.image[idx] + noise
