from dataclasses import dataclass


@dataclass
class GanConfig:
    seed: int = 1
    noise: int = 6
    features: int = 8
    width: int = 24
    batch: int = 24
    rounds: int = 160
    critic_steps: int = 2
    gp: float = 5.0
    lr: float = 1e-3
