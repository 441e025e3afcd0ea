import math
from typing import NamedTuple

import torch


class Episode(NamedTuple):
    stream: str
    xs: torch.Tensor
    ys: torch.Tensor
    xq: torch.Tensor
    yq: torch.Tensor


class DriftingSine:
    """y = A(t) sin(x + p(t)); amplitude and phase wander slowly."""

    def __init__(self, name, k_support, k_query):
        self.name = name
        self.k = (k_support, k_query)
        self.t = 0

    def _sample(self, n):
        x = torch.rand(n, 1) * 6 - 3
        amp = 1.0 + 0.5 * math.sin(self.t / 17)
        phase = 0.02 * self.t
        return x, amp * torch.sin(x + phase) + 0.02 * torch.randn(n, 1)

    def next(self):
        xs, ys = self._sample(self.k[0])
        xq, yq = self._sample(self.k[1])
        self.t += 1
        return Episode(self.name, xs, ys, xq, yq)
