from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class JobConfig:
    features: int = 20
    width: int = 48
    queries: int = 24
    listings: int = 10
    lr: float = 2e-3
    burn_in: int = 20
    steps: int = 300
    seed: int = 7
