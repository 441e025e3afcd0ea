import torch


class GaugeField:
    def __init__(self, stations, lags, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.width = stations * lags
        self.mix = torch.randn(self.width, generator=self.gen) / self.width ** 0.5

    def batch(self, n):
        x = torch.randn(n, self.width, generator=self.gen)
        noise = torch.randn(n, generator=self.gen)
        rain = torch.relu(x @ self.mix + 0.3 * x[:, 0].abs() * noise)
        return x, rain
