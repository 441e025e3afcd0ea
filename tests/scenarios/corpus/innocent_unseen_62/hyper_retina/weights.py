"""Hypernetwork that writes receptive fields, and the cache in front of it."""
import torch
from torch import nn


class FieldWriter(nn.Module):
    """Centre-surround fields generated from learned codes on a pixel grid."""

    def __init__(self, cells, size, code=4, width=24):
        super().__init__()
        self.codes = nn.Parameter(torch.randn(cells, code))
        c = torch.linspace(-1, 1, size)
        yy, xx = torch.meshgrid(c, c, indexing="ij")
        self.register_buffer("grid", torch.stack([xx, yy], -1).view(-1, 2))
        self.net = nn.Sequential(nn.Linear(code + 2, width), nn.Tanh(), nn.Linear(width, 1))

    def forward(self):
        n, p = len(self.codes), len(self.grid)
        pairs = torch.cat([self.codes[:, None].expand(n, p, -1),
                           self.grid[None].expand(n, p, 2)], dim=-1)
        return self.net(pairs).squeeze(-1)


class FieldCache:
    """Hands out fields; writes them anew, with gradients, every ``period`` calls.

    On a renewing call the fields carry their graph, so that the writer is
    trained on that batch. On the calls between, the same values come without.
    """

    def __init__(self, writer, period):
        self.writer, self.period = writer, period
        self.calls = 0
        self.fields = None

    def get(self):
        renew = self.calls % self.period == 0
        self.calls += 1
        if renew:
            self.fields = self.writer()
            return self.fields, True
        return self.fields.detach(), False
