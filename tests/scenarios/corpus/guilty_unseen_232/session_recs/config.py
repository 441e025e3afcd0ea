from dataclasses import dataclass


@dataclass(frozen=True)
class ServiceConfig:
    n_users: int = 24
    n_items: int = 60
    dim: int = 16
    batch_users: int = 8
    clicks: int = 4
    steps: int = 80
    lr: float = 0.05
    log_every: int = 20
    seed: int = 5
