from dataclasses import dataclass


@dataclass
class Settings:
    lanes: int = 6
    signals: int = 10
    batch: int = 64
    iterations: int = 100
    actor_every: int = 3
    lr_actor: float = 1e-3
    lr_critic: float = 3e-3
    explore: float = 0.1
    seed: int = 19
