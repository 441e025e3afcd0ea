from __future__ import annotations

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor


class LoanBook:
    def __init__(self, attributes: int, bins: int) -> None:
        self.attributes, self.bins = attributes, bins
        self._odds = torch.randn(attributes, bins)

    @property
    def width(self) -> int:
        return self.attributes * self.bins

    def batches(self, size: int) -> Iterator[tuple[Tensor, Tensor]]:
        while True:
            bins = torch.randint(self.bins, (size, self.attributes))
            odds = self._odds[torch.arange(self.attributes), bins].sum(1) * 0.5 - 1.0
            yield F.one_hot(bins, self.bins).flatten(1).float(), torch.bernoulli(odds.sigmoid())
