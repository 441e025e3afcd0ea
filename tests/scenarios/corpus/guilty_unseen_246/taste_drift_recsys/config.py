from dataclasses import dataclass


@dataclass(frozen=True)
class RecoConfig:
    n_users: int = 300
    n_items: int = 500
    dim: int = 24
    batch_size: int = 128
    steps: int = 120
    lr: float = 5e-3
    anchor_decay: float = 0.9
    drift_weight: float = 0.05
    seed: int = 11
