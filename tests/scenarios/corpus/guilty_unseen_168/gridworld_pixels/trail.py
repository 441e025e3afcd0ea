from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(slots=True)
class Step:
    frame: np.ndarray
    action: int
    reward: float
    done: bool
    before: Step | None


class Trail:
    """Chain of steps, walked from the newest one backwards."""

    def __init__(self):
        self.tail = None

    def push(self, frame, action, reward, done):
        self.tail = Step(frame, action, reward, done, before=self.tail)  # <- culprit

    def last(self, count):
        found, at = [], self.tail
        while at is not None and len(found) < count:
            found.append(at)
            at = at.before
        return found[::-1]
