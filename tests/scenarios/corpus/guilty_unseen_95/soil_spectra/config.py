from dataclasses import dataclass, field


@dataclass
class Config:
    seed: int = 3
    bands: int = 64
    batch_size: int = 16
    batches: int = 25
    epochs: int = 12
    lr: float = 1e-3
    callbacks: list = field(default_factory=lambda: ["progress", "residuals"])
