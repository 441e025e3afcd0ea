from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor


@dataclass(frozen=True)
class Entry:
    place: int
    code: Tensor


class Bank(Protocol):
    def add(self, place: int, codes: Tensor) -> None: ...

    def draw(self, exclude: int, count: int) -> Tensor: ...


class RingBank:
    """Codes of recently visited places, used as extra negatives."""

    def __init__(self, capacity: int, warmup: int, seed: int) -> None:
        self.entries: deque[Entry] = deque(maxlen=capacity)
        self.warmup = warmup
        self.rng = random.Random(seed)

    @property
    def ready(self) -> bool:
        return len(self.entries) >= self.warmup

    def add(self, place: int, codes: Tensor) -> None:
        self.entries.append(Entry(place, codes.mean(dim=0)))  # <- culprit

    def draw(self, exclude: int, count: int) -> Tensor:
        pool = [e for e in self.entries if e.place != exclude]
        picked = self.rng.sample(pool, min(count, len(pool)))
        return torch.stack([e.code for e in picked])  # <- culprit
