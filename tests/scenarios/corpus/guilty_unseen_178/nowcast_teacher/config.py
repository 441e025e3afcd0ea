from dataclasses import dataclass


@dataclass(frozen=True)
class NowcastConfig:
    features: int = 18
    hidden: int = 48
    batch: int = 64
    momentum: float = 0.98
    consistency: float = 0.3
    lr: float = 3e-3
    steps: int = 450
    log_every: int = 90
    seed: int = 29
