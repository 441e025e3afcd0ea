import math

import torch


class Feeder:
    """A batch of feeders with PV, load and one battery each."""

    n_observed = 5

    def __init__(self, n):
        self.n = n
        self.hour = 0
        self.charge = torch.full((n,), 0.5)

    def start_day(self):
        self.hour = int(torch.randint(0, 18, (1,)))
        self.charge = torch.rand(self.n)

    def observe(self):
        phase = 2 * math.pi * self.hour / 24
        sun = max(0.0, -math.cos(phase))
        self.load = 0.6 + 0.2 * math.sin(phase - 1.0) + 0.1 * torch.randn(self.n)
        self.pv = sun * (0.8 + 0.2 * torch.rand(self.n))
        clock = torch.tensor([math.sin(phase), math.cos(phase)]).expand(self.n, 2)
        rest = torch.stack([self.load, self.pv, self.charge], dim=1)
        return torch.cat([clock, rest], dim=1)

    def act(self, level):
        power = 0.3 * (level.float() - 2) / 2
        power = torch.minimum(power, 1 - self.charge)
        power = torch.maximum(power, -self.charge)
        self.charge = self.charge + power
        net_import = self.load - self.pv + power
        self.hour = (self.hour + 1) % 24
        return -(net_import.square() + 0.02 * power.abs())
