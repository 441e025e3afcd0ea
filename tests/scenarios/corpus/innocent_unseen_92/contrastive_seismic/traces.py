from __future__ import annotations

from typing import Iterator

import torch
from torch import Tensor


class Traces:
    """Endless pairs of jittered views of decaying wavelets."""

    def __init__(self, batch: int, samples: int) -> None:
        self.batch, self.t = batch, torch.linspace(0, 1, samples)

    def __iter__(self) -> Iterator[tuple[Tensor, Tensor]]:
        while True:
            f = 4 + 10 * torch.rand(self.batch, 1)
            d = 1 + 3 * torch.rand(self.batch, 1)
            clean = torch.sin(f * self.t) * torch.exp(-d * self.t)
            yield clean + 0.05 * torch.randn_like(clean), clean + 0.05 * torch.randn_like(clean)
