import torch


class FieldYears:
    """Weekly weather (rain, temperature, sun) over a season and the yield it gives on a soil type."""

    def __init__(self, seed, weeks=20, soils=5):
        self.gen = torch.Generator().manual_seed(seed)
        self.weeks, self.soils = weeks, soils
        self.hold = torch.rand(soils, generator=self.gen)

    def batch(self, n):
        soil = torch.randint(self.soils, (n,), generator=self.gen)
        weather = torch.randn(n, self.weeks, 3, generator=self.gen)
        water, total = torch.zeros(n), torch.zeros(n)
        for w in range(self.weeks):
            water = self.hold[soil] * water + weather[:, w, 0]
            total = total + torch.exp(-water ** 2) * (1 + 0.3 * weather[:, w, 2])
        return weather, soil, total / self.weeks + 0.02 * torch.randn(n, generator=self.gen)
