import torch
from torch import nn

from .registry import register
from .stats import PopulationStatMixin


@register("shift_center")
class ShiftCenter(nn.Module, PopulationStatMixin):
    """z = h - mean(h) + offset with h = x + shift; the mean is per batch or over the population."""

    def __init__(self, dim):
        super().__init__()
        self.shift = nn.Parameter(torch.zeros(dim))
        self.offset = nn.Parameter(torch.zeros(dim))
        self.mode = "batch"
        self.init_stats()

    def forward(self, x):
        h = x + self.shift
        mean = h.mean(0)
        if self.mode == "population":
            mean = self.track(mean)  # <- culprit
        return h - mean + self.offset, x.new_zeros(len(x))


@register("coupling")
class Coupling(nn.Module):
    def __init__(self, dim, hidden, flip):
        super().__init__()
        self.flip, self.half = flip, dim // 2
        self.net = nn.Sequential(nn.Linear(self.half, hidden), nn.Tanh(), nn.Linear(hidden, 2 * self.half))

    def forward(self, x):
        a, b = x.chunk(2, 1)
        if self.flip:
            a, b = b, a
        s, t = self.net(a).chunk(2, 1)
        s = torch.tanh(s)
        b = b * s.exp() + t
        out = torch.cat([b, a], 1) if self.flip else torch.cat([a, b], 1)
        return out, s.sum(1)


@register("diag_scale")
class DiagScale(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.log_s = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        return x * self.log_s.exp(), self.log_s.sum().expand(len(x))
