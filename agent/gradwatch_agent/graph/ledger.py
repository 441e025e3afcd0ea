"""The storages that a stack of graph layers keeps, each counted once.

Owns the sharing of one ledger by all layers of a stack: a chain gets a layer on top in every
iteration, and copying what lies below would cost more each time. Must not know torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

_MOST: Final = 65_536
"""Storages known one by one (10 MB); beyond, one that comes again after long is counted anew."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """What the first layers keep. Immutable to its users, though layers on top extend it."""

    count: int = 0
    size_bytes: int = 0
    _sizes: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Address → place in the order of layers, and size; shared with the layers on top."""
    _known: int = 0
    """How many of those are ours: what comes later is of layers on top."""

    def with_layer(self, storages: Mapping[int, int]) -> Ledger:
        """The same with a layer on top; `storages` are sizes in bytes by address."""
        sizes = self._sizes
        if len(sizes) > self._known:  # another layer lies on top already: a branch
            sizes = dict(islice(sizes.items(), self._known))
        if len(sizes) > _MOST:
            sizes = {}
        new = {at: size for at, size in storages.items() if at not in sizes}
        for at, size in new.items():
            sizes[at] = (len(sizes), size)
        size_bytes = self.size_bytes + sum(new.values())
        return Ledger(self.count + len(new), size_bytes, sizes, len(sizes))

    def __contains__(self, address: int) -> bool:
        known = self._sizes.get(address)
        return known is not None and known[0] < self._known

    def total_of(self, addresses: Iterable[int]) -> tuple[int, int]:
        """Of these, how many are kept, and their size in bytes."""
        sizes = [self._sizes[at][1] for at in addresses if at in self]
        return len(sizes), sum(sizes)
