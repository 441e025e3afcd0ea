import torch
from torch import nn


class SpectralLibrary(nn.Module):
    """Emission templates from a handful of physical parameters. The table is rebuilt on demand."""

    def __init__(self, n_dots=12, n_wl=80):
        super().__init__()
        self.register_buffer("wl", torch.linspace(450, 700, n_wl))
        self.centre = nn.Parameter(torch.linspace(480, 670, n_dots))
        self.log_width = nn.Parameter(torch.full((n_dots,), 2.5))
        self.asym = nn.Parameter(torch.zeros(n_dots))
        self._table = None

    @property
    def table(self):
        if self._table is None:
            x = (self.wl - self.centre[:, None]) / self.log_width.exp()[:, None]
            width = 2 * torch.sigmoid(self.asym[:, None] * x) + 0.2
            t = torch.exp(-0.5 * (x / width) ** 2)
            self._table = t / t.amax(1, keepdim=True)
        return self._table

    def invalidate(self):
        self._table = None

    def mix(self, weights):
        return weights @ self.table

    def overlap(self):
        n = torch.nn.functional.normalize(self.table, dim=1)
        gram = n @ n.T
        return gram.triu(1).pow(2).mean()
