from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto


class Phase(Enum):
    HEAD_ONLY = auto()
    JOINT = auto()


@dataclass(frozen=True)
class Config:
    seed: int = 17
    classes: int = 5
    mels: int = 12
    embed: int = 16
    batch: int = 20
    support_per_class: int = 4
    refresh_every: int = 4
    head_only_steps: int = 120
    steps: int = 320
    lr: float = 3e-3

    def phase(self, step: int) -> Phase:
        return Phase.HEAD_ONLY if step < self.head_only_steps else Phase.JOINT
