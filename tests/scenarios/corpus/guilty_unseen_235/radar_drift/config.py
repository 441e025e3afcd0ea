from dataclasses import dataclass


@dataclass(frozen=True)
class RadarConfig:
    n_range: int = 64
    n_doppler: int = 16
    hidden: int = 96
    steps: int = 120
    batch: int = 32
    lr: float = 2e-3
    leak: float = 0.95
    seed: int = 3
