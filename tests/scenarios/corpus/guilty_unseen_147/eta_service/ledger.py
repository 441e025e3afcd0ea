from __future__ import annotations

from collections import defaultdict

import torch

from .bus import Bus, Event


class SegmentLedger:
    """Per road-segment error bookkeeping, fed from the bus."""

    def __init__(self, bus: Bus, tail: int = 20) -> None:
        self.tail = tail
        self.by_segment: dict[str, list[torch.Tensor]] = defaultdict(list)
        bus.subscribe("batch.scored", self.on_scored)

    def on_scored(self, event: Event) -> None:
        self.by_segment[event.payload["segment"]].append(event.payload["mae"])  # <- culprit

    def digest(self) -> dict[str, float]:
        return {s: torch.stack(v[-self.tail:]).mean().item() for s, v in self.by_segment.items()}
