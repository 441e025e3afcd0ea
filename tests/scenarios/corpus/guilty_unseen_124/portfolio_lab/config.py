from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    seed: int = 13
    assets: int = 5
    lookback: int = 12
    horizon: int = 6
    steps: int = 320
    lr: float = 4e-3
    cost: float = 0.001
    callbacks: tuple = ("clip", "recorder", "console")
