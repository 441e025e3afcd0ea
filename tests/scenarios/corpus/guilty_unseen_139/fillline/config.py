from dataclasses import dataclass


@dataclass(frozen=True)
class LineConfig:
    sensors: int = 7
    hidden: int = 18
    shifts: int = 10
    rounds_per_shift: int = 45
    bottles: int = 24
    lr: float = 3e-3
    seed: int = 81
