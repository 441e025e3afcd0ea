from dataclasses import dataclass


@dataclass
class DistillSettings:
    temperature: float = 3.0
    hard_weight: float = 0.3
    lr: float = 2e-3
    steps: int = 110
    batch: int = 64
    features: int = 24
    classes: int = 6
    report_every: int = 22
