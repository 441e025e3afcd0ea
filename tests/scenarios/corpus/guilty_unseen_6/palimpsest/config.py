from dataclasses import dataclass


@dataclass(frozen=True)
class Plan:
    seed: int = 2
    classes: int = 5
    side: int = 10
    batches: int = 250
    batch_size: int = 16
    epochs: int = 2
    lr: float = 0.02
    heat: float = 3.0
    trust: float = 0.7
