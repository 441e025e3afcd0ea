"""Synthetic monthly fields: seasonal cycle, a slow oscillation and noise."""
import math

import torch


class GridWeather:
    def __init__(self, lat, lon, seed):
        self.cells = lat * lon
        self.gen = torch.Generator().manual_seed(seed)
        y = torch.linspace(-1, 1, lat).repeat_interleave(lon)
        x = torch.linspace(0, 2 * math.pi, lon + 1)[:-1].repeat(lat)
        self.season_map = -y
        self.mode_map = torch.cos(x) * (1 - y ** 2)
        self.t = 0

    def _field(self, t, phase):
        season = math.sin(2 * math.pi * t / 12)
        mode = torch.sin(2 * math.pi * t / 41 + phase).unsqueeze(1)
        noise = 0.2 * torch.randn(len(phase), self.cells, generator=self.gen)
        return season * self.season_map + mode * self.mode_map + noise

    def month(self, batch):
        phase = 6.28 * torch.rand(batch, generator=self.gen)
        now, later = self._field(self.t, phase), self._field(self.t + 1, phase)
        clock = torch.tensor([[math.sin(2 * math.pi * self.t / 12), math.cos(2 * math.pi * self.t / 12)]])
        self.t += 1
        return torch.cat((now, clock.expand(batch, -1)), dim=1), later
