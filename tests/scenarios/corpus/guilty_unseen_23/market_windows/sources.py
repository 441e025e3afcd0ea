from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Generic, Hashable, TypeVar

import numpy as np
import torch
from torch import Tensor

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True)
class WindowKey:
    symbol: str
    as_of: int


@dataclass(frozen=True, eq=False)
class Window:
    history: np.ndarray
    forward: np.ndarray

    def tensors(self) -> tuple[Tensor, Tensor]:
        return torch.from_numpy(self.history), torch.from_numpy(self.forward)


class CachedSource(Generic[K, V]):
    """Looks a key up once; a key that was loaded before is served from memory."""

    def __init__(self) -> None:
        self._cache: dict[K, V] = {}
        self._hits = 0

    def load(self, key: K) -> V:
        raise NotImplementedError

    def get(self, key: K) -> V:
        if key in self._cache:
            self._hits += 1
        else:
            self._cache[key] = self.load(key)  # <- culprit
        return self._cache[key]

    @property
    def stats(self) -> str:
        return f"{len(self._cache)} loaded, {self._hits} served"


class WindowSource(CachedSource[WindowKey, Window]):
    def __init__(self, rows: int, lookback: int, seed: int) -> None:
        super().__init__()
        self._rows, self._lookback, self._seed = rows, lookback, seed

    def load(self, key: WindowKey) -> Window:
        rng = np.random.default_rng([self._seed, key.as_of, zlib.crc32(key.symbol.encode())])
        shocks = rng.standard_normal((self._rows, self._lookback + 1), dtype=np.float32)
        path = np.empty_like(shocks)
        path[:, 0] = shocks[:, 0]
        for t in range(1, shocks.shape[1]):
            path[:, t] = 0.4 * path[:, t - 1] + shocks[:, t]
        return Window(np.ascontiguousarray(path[:, :-1]), path[:, -1].copy())

    def window(self, key: WindowKey) -> Window:
        return self.get(key)
