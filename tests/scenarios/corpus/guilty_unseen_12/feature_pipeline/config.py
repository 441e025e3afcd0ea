"""Typed configuration."""
from dataclasses import dataclass, field
from typing import Optional


@dataclass(frozen=True)
class DataConfig:
    batch: int = 256
    width: int = 128
    prefetch: int = 3
    rewind: Optional[int] = None  # <- culprit
    seed: int = 5


@dataclass(frozen=True)
class RunConfig:
    steps: int = 220
    lr: float = 1e-3
    seed: int = 1
    data: DataConfig = field(default_factory=DataConfig)
