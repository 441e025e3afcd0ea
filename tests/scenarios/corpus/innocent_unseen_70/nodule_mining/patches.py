import torch


class Scanner:
    """Noise patches of 12 by 12 pixels, a fifth of them with a bright blob."""

    side = 12

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        axis = torch.arange(self.side, dtype=torch.float)
        self.yy, self.xx = torch.meshgrid(axis, axis, indexing="ij")

    def scan(self, count):
        truth = (torch.rand(count, generator=self.gen) < 0.2).float()
        centre = 3 + 6 * torch.rand(count, 2, 1, 1, generator=self.gen)
        size = 1 + torch.rand(count, 1, 1, generator=self.gen)
        square = (self.yy - centre[:, 0]) ** 2 + (self.xx - centre[:, 1]) ** 2
        blob = torch.exp(-square / (2 * size ** 2))
        noise = 0.35 * torch.randn(count, self.side, self.side, generator=self.gen)
        return (noise + truth[:, None, None] * blob).unsqueeze(1), truth
