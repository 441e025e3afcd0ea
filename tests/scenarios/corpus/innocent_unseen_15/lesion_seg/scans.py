import torch


class ScanError(RuntimeError):
    def __init__(self, index, kind, image):
        super().__init__(f"scan {index}: {kind}, range {image.min().item():.2f}..{image.max().item():.2f}")
        self.kind = kind
        self.image = image


class ScanSource:
    def __init__(self, seed, size=32, batch=4):
        self.seed, self.size, self.batch = seed, size, batch
        g = torch.linspace(-1, 1, size)
        self.y, self.x = torch.meshgrid(g, g, indexing="ij")

    def load(self, index):
        gen = torch.Generator().manual_seed(self.seed * 100003 + index)
        c = torch.rand(self.batch, 2, 1, 1, generator=gen) * 1.2 - 0.6
        r = 0.12 + 0.25 * torch.rand(self.batch, 1, 1, generator=gen)
        label = ((self.x - c[:, 0]) ** 2 + (self.y - c[:, 1]) ** 2 < r ** 2).float().unsqueeze(1)
        body = (self.x ** 2 + self.y ** 2 < 0.9).float()
        image = 0.5 * body + 0.4 * label + 0.25 * torch.randn(label.shape, generator=gen)
        if index % 9 == 8:
            image.clamp_(max=0.0)
            raise ScanError(index, "field of view empty", image)
        return image, label
