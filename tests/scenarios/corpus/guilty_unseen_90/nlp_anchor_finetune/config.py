from dataclasses import dataclass


@dataclass
class Config:
    seed: int = 13
    vocab: int = 400
    classes: int = 6
    max_len: int = 16
    dim: int = 24
    batch_size: int = 64
    epochs: int = 8
    lr: float = 3e-3
    regularizer: str = "average_anchor"
    reg_weight: float = 0.05
    decay: float = 0.95
