from dataclasses import dataclass


@dataclass(frozen=True)
class DetConfig:
    iters: int = 90
    batch: int = 4
    size: int = 32
    stride: int = 4
    num_classes: int = 3
    channels: int = 16
    lr: float = 6e-3
    box_weight: float = 2.0
    focal_gamma: float = 2.0
    log_every: int = 15
    seed: int = 0
