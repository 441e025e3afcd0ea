import math
from typing import Iterator, Tuple

import torch


class LoadFeed:
    """Hourly observations for a handful of sites in every zone."""

    def __init__(self, hours: int, zones: int, weather_dim: int, sites: int) -> None:
        self.hours = hours
        self.zones = zones
        self.sites = sites
        self.coef = 0.3 * torch.randn(weather_dim, zones)
        self.slope = 0.01 * torch.rand(zones)
        self.weather_dim = weather_dim

    def __len__(self) -> int:
        return self.hours

    def __iter__(self) -> Iterator[Tuple[int, torch.Tensor, torch.Tensor]]:
        base = torch.zeros(self.zones)
        for t in range(self.hours):
            base = base + self.slope
            weather = torch.randn(self.sites, self.weather_dim)
            season = 0.5 * math.sin(2 * math.pi * (t % 24) / 24)
            load = base + season + weather @ self.coef + 0.1 * torch.randn(self.sites, self.zones)
            yield t % 24, weather, load
