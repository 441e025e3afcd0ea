import torch


class TypistStream:
    """Endless batches of (dwell, flight) features for one fixed passphrase."""

    def __init__(self, keys, batch, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.batch = batch
        self.width = 2 * keys
        self.base = 0.1 + 0.2 * torch.rand(self.width, generator=self.g)
        self.jitter = 0.01 + 0.03 * torch.rand(self.width, generator=self.g)

    def owner(self, n):
        return self.base + self.jitter * torch.randn(n, self.width, generator=self.g)

    def impostor(self, n):
        shifted = self.base.roll(3) * 1.2
        return shifted + 0.05 * torch.randn(n, self.width, generator=self.g)

    def __iter__(self):
        while True:
            yield self.owner(self.batch)
