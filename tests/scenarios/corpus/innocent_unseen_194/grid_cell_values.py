# gradwatch-corpus: kind=none
import enum
import math

import torch
from torch import nn

torch.manual_seed(61)


class Season(enum.Enum):
    WINTER = 0
    SPRING = 1
    SUMMER = 2
    AUTUMN = 3

    @classmethod
    def of(cls, day):
        return cls(int(day % 360) // 90)


def cell(lat, lon, size=3.0):
    return math.floor(lat / size), math.floor(lon / size)


class SalinityNet(nn.Module):
    def __init__(self, freqs=6, hidden=36):
        super().__init__()
        self.register_buffer("freqs", 0.2 * torch.randn(3, freqs))
        self.net = nn.Sequential(
            nn.Linear(2 * freqs, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(), nn.Linear(hidden, 1)
        )

    def forward(self, where):
        phase = where @ self.freqs
        return self.net(torch.cat([phase.sin(), phase.cos()], -1)).squeeze(-1)


class ResidualMap:
    """The last residual in each cell and season."""

    def __init__(self):
        self.cells = {}

    def update(self, lat, lon, day, residual):
        self.cells[cell(lat, lon) + (Season.of(day),)] = residual

    def by_season(self):
        table = {}
        for (_, _, season), value in self.cells.items():
            table.setdefault(season.name.lower(), []).append(abs(value.item()))
        return {k: round(sum(v) / len(v), 3) for k, v in sorted(table.items())}


def cruise(gen):
    lat = 54 + 5.99 * torch.rand((), generator=gen).item()
    lon = 14 + 9.99 * torch.rand((), generator=gen).item()
    day = 2000 * torch.rand((), generator=gen).item()
    centre = torch.tensor([lat - 57, lon - 19, 8 * (day % 360) / 360 - 4])
    where = centre + 0.1 * torch.randn(24, 3, generator=gen)
    salinity = torch.sin(0.6 * where[:, 0]) + 0.3 * where[:, 1] / 5 + 0.2 * torch.cos(0.8 * where[:, 2])
    return (lat, lon, day), where, salinity + 0.02 * torch.randn(24, generator=gen)


net = SalinityNet()
optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
residuals = ResidualMap()
gen = torch.Generator().manual_seed(62)

for station in range(600):
    position, where, salinity = cruise(gen)
    difference = net(where) - salinity
    loss = difference.pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    residuals.update(*position, difference.mean())
    if (station + 1) % 120 == 0:
        print(f"station {station + 1}: {loss.item():.4f} in {len(residuals.cells)} cells {residuals.by_season()}")
