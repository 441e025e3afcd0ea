from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Optional

import torch


class Phase(Enum):
    RUN = auto()
    RESTART = auto()

    @classmethod
    def after(cls, number, cycle):
        return cls.RESTART if (number + 1) % cycle == 0 else cls.RUN


@dataclass(frozen=True)
class Carry:
    hidden: torch.Tensor
    age: int = 0

    @classmethod
    def zeros(cls, patients, width):
        return cls(torch.zeros(1, patients, width))

    def advance(self, hidden):
        return Carry(hidden, self.age + 1)

    def truncated(self):
        return replace(self, hidden=self.hidden.detach())


@dataclass
class Best:
    value: float
    carry: Carry


class Tracker:
    def __init__(self):
        self.best: Optional[Best] = None

    def offer(self, value, carry):
        if self.best is None or value < self.best.value:
            self.best = Best(value, carry)

    def reset(self):
        self.best = None
