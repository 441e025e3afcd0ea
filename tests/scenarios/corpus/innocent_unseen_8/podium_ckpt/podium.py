from __future__ import annotations

import heapq
from collections import deque
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor


@dataclass(order=True)
class Entry:
    rank: float
    step: int
    payload: dict[str, Any] = field(compare=False, repr=False)


class Podium:
    """Min-heap on the negative score, so that the worst of the best is on top and leaves first."""

    def __init__(self, best: int, newest: int) -> None:
        self._size = best
        self._heap: list[Entry] = []
        self._recent: deque[Entry] = deque(maxlen=newest)

    def enter(self, step: int, score: Tensor, payload: dict[str, Any]) -> None:
        entry = Entry(-float(score), step, deepcopy(payload))
        heapq.heappush(self._heap, entry)
        if len(self._heap) > self._size:
            heapq.heappop(self._heap)
        self._recent.append(entry)

    def steps(self) -> list[int]:
        return sorted({e.step for e in (*self._heap, *self._recent)})

    def averaged(self, key: str) -> dict[str, Tensor]:
        members = [e.payload[key] for e in self._heap]
        return {name: torch.stack([m[name].float() for m in members]).mean(0) for name in members[0]}
