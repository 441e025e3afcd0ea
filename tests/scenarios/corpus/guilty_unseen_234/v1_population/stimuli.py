import torch


class GratingSession:
    """Oriented gratings with random phase and pixel noise."""

    def __init__(self, size, batch, contrast, seed):
        axis = torch.linspace(-1.0, 1.0, size)
        self.yy, self.xx = torch.meshgrid(axis, axis, indexing="ij")
        self.batch = batch
        self.contrast = contrast
        self.gen = torch.Generator().manual_seed(seed)

    def present(self):
        angle = torch.pi * torch.rand(self.batch, generator=self.gen)
        phase = 2 * torch.pi * torch.rand(self.batch, generator=self.gen)
        c = torch.cos(angle)[:, None, None]
        s = torch.sin(angle)[:, None, None]
        carrier = 6.0 * (c * self.xx + s * self.yy) + phase[:, None, None]
        image = self.contrast * torch.cos(carrier)
        image = image + 0.2 * torch.randn(image.shape, generator=self.gen)
        return image.flatten(1), angle
