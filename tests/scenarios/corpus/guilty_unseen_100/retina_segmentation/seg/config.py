from dataclasses import dataclass


@dataclass
class Config:
    seed: int = 8
    size: int = 16
    channels: int = 6
    n_train: int = 48
    n_val: int = 8
    batch: int = 6
    steps: int = 320
    lr: float = 4e-3
    validate_every: int = 4
    hooks: tuple = ("validation", "cosine_lr", "final_report")
