import torch


class Fleet:
    def __init__(self, plants, window, channels):
        self.plants = list(plants)
        self.window, self.channels = window, channels
        self.offset = {p: 0.3 * torch.randn(channels) for p in self.plants}
        self.wear = torch.randn(channels)

    def next_batch(self, it, n=24):
        plant = self.plants[it % len(self.plants)]
        age = torch.rand(n, 1, 1)
        drift = torch.linspace(0, 1, self.window).view(1, -1, 1)
        x = self.offset[plant] + age * drift * self.wear + 0.1 * torch.randn(n, self.window, self.channels)
        rul = (1.0 - age.view(n)) + 0.02 * torch.randn(n)
        return plant, x, rul
