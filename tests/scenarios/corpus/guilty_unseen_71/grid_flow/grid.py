import torch
from torch import nn

from .lazy import lazy


def ring_with_chords(n):
    ring = [(i, (i + 1) % n) for i in range(n)]
    return ring + [(i, (i + n // 2) % n) for i in range(0, n // 2, 2)]


class DCGrid(nn.Module):
    """Bus 0 is the slack; flows are linear in the injections."""

    def __init__(self, buses, lines, log_b=None):
        super().__init__()
        self.buses = buses
        inc = torch.zeros(len(lines), buses)
        for k, (i, j) in enumerate(lines):
            inc[k, i], inc[k, j] = 1.0, -1.0
        self.register_buffer("incidence", inc[:, 1:].contiguous())
        self.log_b = nn.Parameter(torch.zeros(len(lines)) if log_b is None else log_b)

    @lazy  # <- culprit
    def ptdf(self):
        """Line flows per unit of injection at every bus but the slack."""
        weighted = self.log_b.exp().unsqueeze(1) * self.incidence
        lap = self.incidence.t() @ weighted
        return weighted @ torch.linalg.inv(lap)

    def forward(self, injection):
        return injection[:, 1:] @ self.ptdf.t()
