import torch
from torch import nn


class RayTracer(nn.Module):
    """Slowness as a small network of position and time window, integrated along straight rays."""

    def __init__(self, n):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 24), nn.GELU(), nn.Linear(24, 1), nn.Softplus())
        yy, xx = torch.meshgrid(torch.linspace(-1, 1, n), torch.linspace(-1, 1, n), indexing="ij")
        self.register_buffer("xy", torch.stack([xx.flatten(), yy.flatten()], 1))
        self.n = n
        self._fields = {}

    def slowness(self, key):
        """Slowness on the grid for one (stage, window); filled in at the first ray that asks."""
        if key not in self._fields:
            _, window = key
            clock = torch.tensor([window / 11.0])
            time = torch.cat([clock.sin(), clock.cos()]).expand(len(self.xy), 2)
            field = self.net(torch.cat([self.xy, time], 1)).view(self.n, self.n)
            self._fields.clear()
            self._fields[key] = field  # <- culprit
        return self._fields[key]  # <- culprit

    def forward(self, key, cells, length):
        field = self.slowness(key)  # <- culprit
        return field[cells[..., 0], cells[..., 1]].mean(1) * length
