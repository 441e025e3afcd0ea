from dataclasses import dataclass


@dataclass(frozen=True)
class PlannerConfig:
    stores: int = 24
    promo_features: int = 6
    season: int = 7
    days: int = 120
    lr: float = 5e-3
    seed: int = 41
    log_every: int = 30
