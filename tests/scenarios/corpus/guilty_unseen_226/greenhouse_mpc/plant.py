import torch


class Greenhouse:
    """Temperature and humidity with a heater and a vent, Euler with dt of one minute."""

    def __init__(self, n_houses, seed=0):
        gen = torch.Generator().manual_seed(seed)
        self.loss_rate = 0.04 + 0.02 * torch.rand(n_houses, generator=gen)
        self.gain = 1.2 + 0.3 * torch.rand(n_houses, generator=gen)
        self.temp = 12 + 4 * torch.rand(n_houses, generator=gen)
        self.hum = 0.6 + 0.2 * torch.rand(n_houses, generator=gen)

    def observe(self, target):
        return torch.stack([self.temp / 20, self.hum, (target - self.temp) / 10], dim=1)

    def apply(self, action, outside):
        heat = action[:, 0].sigmoid()
        vent = action[:, 1].sigmoid()
        exchange = (self.loss_rate + 0.1 * vent) * (self.temp - outside)
        self.temp = self.temp + self.gain * heat - exchange  # <- culprit
        self.hum = self.hum + 0.02 - 0.08 * vent * self.hum  # <- culprit
        return heat, vent
