from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    seed: int = 2
    patients: int = 10
    signals: int = 4
    width: int = 16
    window: int = 5
    updates: int = 340
    reset_every: int = 120
    lr: float = 4e-3
