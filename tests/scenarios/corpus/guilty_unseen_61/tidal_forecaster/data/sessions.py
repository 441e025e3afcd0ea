"""Synthetic tide gauges, cut into sessions and sessions into chunks."""
import math
from dataclasses import dataclass
from typing import Iterator, Sequence

import torch


@dataclass
class Chunk:
    x: torch.Tensor
    y: torch.Tensor
    opens_session: bool


class GaugeSessions:
    def __init__(self, lengths: Sequence[int], chunk: int, gauges: int):
        self.lengths, self.chunk, self.gauges = lengths, chunk, gauges

    def _series(self, n: int) -> torch.Tensor:
        t = torch.arange(n + 1, dtype=torch.float32)
        phase = torch.rand(self.gauges, 1) * 2 * math.pi
        moon = torch.sin(t * 0.51 + phase)
        sun = 0.4 * torch.sin(t * 0.26 + 2 * phase)
        wind = 0.1 * torch.randn(self.gauges, n + 1)
        return torch.stack([moon + sun + wind, wind, moon], dim=-1)

    def __iter__(self) -> Iterator[Chunk]:
        for n_chunks in self.lengths:
            s = self._series(n_chunks * self.chunk)
            for i in range(n_chunks):
                lo, hi = i * self.chunk, (i + 1) * self.chunk
                yield Chunk(s[:, lo:hi], s[:, lo + 1:hi + 1, 0], opens_session=i == 0)
