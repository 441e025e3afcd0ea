from dataclasses import dataclass


@dataclass
class Config:
    seed: int = 30
    board: int = 5
    channels: int = 10
    batch: int = 32
    steps: int = 450
    lr: float = 2e-3
    keep: int = 20
