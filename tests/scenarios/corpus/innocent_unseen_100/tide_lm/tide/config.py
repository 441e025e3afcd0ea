from dataclasses import dataclass


@dataclass(frozen=True)
class TideConfig:
    seed: int = 21
    n_symbols: int = 12
    lanes: int = 8
    window: int = 6
    dim: int = 16
    windows: int = 330
    lr: float = 5e-3
    reset_every: int = 40
    norm: float = 1.0
