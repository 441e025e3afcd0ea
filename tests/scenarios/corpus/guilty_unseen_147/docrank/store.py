from __future__ import annotations

from typing import Callable

import torch


class FeatureStore:
    """Read-through store of document vectors."""

    def __init__(self, compute: Callable[[int], torch.Tensor], capacity: int = 1000) -> None:
        self._compute = compute
        self._capacity = capacity
        self._memo: dict[int, torch.Tensor] = {}
        self.hits = self.misses = 0

    def get(self, doc_id: int) -> torch.Tensor:
        found = self._memo.get(doc_id)
        if found is not None:
            self.hits += 1
            return found
        self.misses += 1
        return self._admit(doc_id, self._compute(doc_id))

    def _admit(self, doc_id: int, vec: torch.Tensor) -> torch.Tensor:
        if len(self._memo) >= self._capacity:
            self._memo.pop(next(iter(self._memo)))
        self._memo[doc_id] = vec  # <- culprit
        return vec
