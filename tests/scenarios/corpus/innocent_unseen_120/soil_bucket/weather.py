import math

import torch


class Station:
    def __init__(self, sites, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.sites = sites

    def year(self, days):
        for d in range(days):
            wet = torch.rand(self.sites, generator=self.g) < 0.25
            rain = wet * torch.rand(self.sites, generator=self.g) * 0.4
            temp = math.sin(2 * math.pi * d / days) + 0.2 * torch.randn(self.sites, generator=self.g)
            yield rain, temp
