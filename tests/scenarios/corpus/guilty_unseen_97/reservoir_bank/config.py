from dataclasses import dataclass
from enum import Enum, auto


class Basin(Enum):
    ILLER = auto()
    ISAR = auto()
    NAAB = auto()
    REGEN = auto()


@dataclass(slots=True, frozen=True)
class RunConfig:
    cells: int = 6
    forcings: int = 5
    steps: int = 140
    lr: float = 3e-3
    recession: float = 0.12
