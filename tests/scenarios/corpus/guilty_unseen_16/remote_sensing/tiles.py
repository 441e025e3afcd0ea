"""Synthetic tiles: smooth random fields cut into classes, each class with its own spectrum."""
import torch
import torch.nn.functional as F

CLASSES = ("water", "forest", "crop", "urban")

SPECTRA = torch.tensor([
    [0.08, 0.06, 0.04, 0.02],
    [0.04, 0.07, 0.05, 0.45],
    [0.07, 0.10, 0.12, 0.33],
    [0.18, 0.20, 0.22, 0.26],
])


class TileSampler:
    def __init__(self, batch, size, seed):
        self.batch, self.size = batch, size
        self.gen = torch.Generator().manual_seed(seed)

    def draw(self):
        coarse = torch.randn(self.batch, len(CLASSES), 5, 5, generator=self.gen)
        field = F.interpolate(coarse, size=(self.size, self.size), mode="bilinear", align_corners=True)
        target = field.argmax(1)
        image = SPECTRA[target].permute(0, 3, 1, 2)
        haze = 0.05 * torch.rand(self.batch, 1, 1, 1, generator=self.gen)
        noise = 0.06 * torch.randn(image.shape, generator=self.gen)
        return ((image + haze + noise) - 0.15) / 0.12, target
