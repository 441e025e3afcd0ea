from __future__ import annotations

from functools import lru_cache

import torch
from torch import Tensor, nn


class RelativeBias(nn.Module):
    """Learned bias by clipped distance, shared by the layers of one forward pass."""

    distances: Tensor

    def __init__(self, heads: int, max_distance: int) -> None:
        super().__init__()
        self.max_distance = max_distance
        self.embedding = nn.Embedding(2 * max_distance + 1, heads)
        self.version = 0

    @lru_cache(maxsize=None)  # <- culprit
    def table(self, q_len: int, k_len: int, version: int) -> Tensor:
        # one build per weight version: both layers ask for the same table
        rel = torch.arange(k_len)[None, :] - torch.arange(q_len)[:, None]
        rel = rel.clamp(-self.max_distance, self.max_distance) + self.max_distance
        return self.embedding(rel).permute(2, 0, 1)

    def forward(self, q_len: int, k_len: int) -> Tensor:
        return self.table(q_len, k_len, self.version)  # <- culprit

    def weights_changed(self) -> None:
        self.version += 1  # <- culprit
