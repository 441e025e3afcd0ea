from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    seed: int = 101
    classes: int = 8
    size: int = 16
    batch: int = 24
    teacher_steps: int = 30
    steps: int = 80
    temperature: float = 3.0
    feature_weight: float = 0.5
    lr: float = 3e-3
