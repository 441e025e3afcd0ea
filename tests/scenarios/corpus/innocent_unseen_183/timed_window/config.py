from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    steps: int = 440
    seconds_per_step: float = 0.25
    horizon_seconds: float = 15.0
    lr: float = 1e-2
    lags: int = 12
    seed: int = 77
