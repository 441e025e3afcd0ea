from dataclasses import dataclass


@dataclass(frozen=True)
class A2CConfig:
    seed: int = 21
    plots: int = 5
    episodes: int = 320
    horizon: int = 15
    gamma: float = 0.95
    entropy_coef: float = 0.02
    value_coef: float = 0.5
    lr: float = 1e-3
    report: int = 20
