import torch


class BlockSource:
    """8x8 blocks with the falling spectrum of photographs."""

    def __init__(self, blocks, seed):
        self.blocks = blocks
        self.gen = torch.Generator().manual_seed(seed)
        f = torch.arange(8).float()
        self.envelope = 2.0 / (1 + f[:, None] + f[None, :]) ** 1.2

    def next(self):
        spectrum = torch.randn(self.blocks, 8, 8, generator=self.gen) * self.envelope
        return torch.fft.ifft2(spectrum, norm="ortho").real
