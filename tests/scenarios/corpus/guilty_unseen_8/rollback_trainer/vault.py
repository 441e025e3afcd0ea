"""In-memory snapshots, the newest few of them."""
from __future__ import annotations

from collections import deque
from copy import deepcopy
from typing import Any

StateDict = dict[str, Any]


class SnapshotVault:
    def __init__(self, keep: int) -> None:
        self.keep = keep
        self._order: deque[int] = deque()
        self._blobs: dict[str, StateDict] = {}

    def put(self, step: int, state: StateDict) -> None:
        self._order.append(step)
        self._blobs[f"step-{step:06d}"] = deepcopy(state)  # <- culprit
        while len(self._order) > self.keep:
            stale = self._order.popleft()
            self._blobs.pop(f"step-{stale}", None)  # <- culprit

    def oldest(self) -> StateDict:
        return self._blobs[f"step-{self._order[0]:06d}"]

    def tags(self) -> list[int]:
        return list(self._order)
