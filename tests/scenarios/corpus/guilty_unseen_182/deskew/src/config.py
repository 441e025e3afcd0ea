from dataclasses import dataclass


@dataclass
class Config:
    steps: int = 500
    batch: int = 24
    size: int = 12
    classes: int = 6
    lr: float = 2e-3
    aux_every: int = 10
    aux_weight: float = 0.3
    log_every: int = 5
    seed: int = 17
