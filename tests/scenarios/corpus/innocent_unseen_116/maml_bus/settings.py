from dataclasses import dataclass


@dataclass
class MetaSettings:
    seed: int = 29
    adapter: str = "learned_rate"
    width: int = 16
    inner_steps: int = 3
    inner_lr: float = 0.05
    tasks: int = 2
    shots: int = 10
    outer: int = 300
    outer_lr: float = 3e-3
