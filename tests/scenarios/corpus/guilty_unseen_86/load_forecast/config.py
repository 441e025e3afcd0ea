from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    seed: int = 5
    zones: int = 8
    hidden: int = 12
    piece: int = 1
    steps: int = 330
    short_until: int = 120
    lr: float = 0.02
