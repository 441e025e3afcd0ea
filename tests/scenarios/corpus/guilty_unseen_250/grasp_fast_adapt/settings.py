from dataclasses import dataclass


@dataclass
class AdaptationSettings:
    seed: int = 11
    trials: int = 120
    tactile_dim: int = 24
    wrench_dim: int = 6
    hidden: int = 48
    support_size: int = 32
    query_size: int = 32
    slow_lr: float = 1e-3
    fast_lr: float = 5e-2
    wear_rate: float = 0.01
