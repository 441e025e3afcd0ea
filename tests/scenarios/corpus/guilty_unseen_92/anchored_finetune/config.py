from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class AnchorConfig:
    name: str = "moving"
    weight: float = 0.05
    momentum: float = 0.98
    start_step: int = 0


@dataclass(frozen=True)
class TrainConfig:
    seed: int = 11
    n_features: int = 12
    hidden: int = 24
    batch_size: int = 16
    epochs: int = 12
    n_rows: int = 480
    lr: float = 3e-3
    anchor: AnchorConfig = field(default_factory=AnchorConfig)
