import torch


class PlotCampaign:
    def __init__(self, seed, weeks=26):
        self.rng = torch.Generator().manual_seed(seed)
        self.weeks = torch.arange(weeks, dtype=torch.float32)

    def draw(self, n):
        peak = 12 + 4 * torch.rand(n, 1, generator=self.rng)
        vigour = 0.4 + 0.4 * torch.rand(n, 1, generator=self.rng)
        ndvi = vigour * torch.exp(-((self.weeks - peak) / 5) ** 2)
        ndvi = ndvi + 0.02 * torch.randn(ndvi.shape, generator=self.rng)
        soil = torch.randn(n, 5, generator=self.rng)
        area = 0.5 + torch.rand(n, generator=self.rng)
        tons = 2 + 6 * (vigour.squeeze(1) - 0.4) + 0.4 * soil[:, 0] - 0.2 * soil[:, 1].abs()
        return ndvi, soil, area, tons + 0.1 * torch.randn(n, generator=self.rng)
