from dataclasses import dataclass


@dataclass
class RankerConfig:
    seed: int = 5
    users: int = 40
    items: int = 300
    dim: int = 32
    tower: int = 64
    ticks: int = 100
    decay: float = 0.85
    lr: float = 5e-3
