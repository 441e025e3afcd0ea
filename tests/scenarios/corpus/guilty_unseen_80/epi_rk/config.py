from dataclasses import dataclass

@dataclass(frozen=True)
class FitConfig:
    groups: int = 4
    hidden: int = 10
    dt: float = 0.5
    points: int = 8
    regions: int = 12
    rounds: int = 70
    settle: int = 20
    lr: float = 0.01
    seed: int = 13
