from dataclasses import dataclass


@dataclass(frozen=True)
class RecConfig:
    n_users: int = 300
    n_items: int = 200
    dim: int = 16
    batch: int = 64
    steps: int = 480
    lr: float = 3e-3
    temperature: float = 0.2
    reg: float = 1e-3
    seed: int = 11
