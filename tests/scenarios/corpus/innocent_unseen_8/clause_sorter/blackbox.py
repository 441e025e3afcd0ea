from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from torch import Tensor


@dataclass(slots=True)
class Incident:
    step: int
    logits: Tensor | None = None
    loss: Tensor | None = None

    def describe(self) -> str:
        worst = int(self.loss.argmax())
        origin = self.logits.grad_fn.name() if self.logits.grad_fn is not None else "leaf"
        return f"  step {self.step}: worst row {worst} loss {self.loss[worst].item():.3f} from {origin}"


class FlightRecorder:
    def __init__(self, room: int, factor: float) -> None:
        self._ring: deque[Incident] = deque(maxlen=room)
        self._factor = factor
        self._usual: float | None = None

    def __len__(self) -> int:
        return len(self._ring)

    @contextmanager
    def watching(self, step: int) -> Iterator[Incident]:
        slot = Incident(step)
        yield slot
        self._ring.append(slot)

    def spiked(self, mean: Tensor) -> bool:
        value = mean.item()
        if self._usual is None:
            self._usual = value
        hit = value > self._factor * self._usual
        self._usual = 0.9 * self._usual + 0.1 * value
        return hit

    def post_mortem(self) -> str:
        return "\n".join(i.describe() for i in list(self._ring)[-3:])
