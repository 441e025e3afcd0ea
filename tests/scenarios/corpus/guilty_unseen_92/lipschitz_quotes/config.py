from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class ScorerConfig:
    seed: int = 29
    features: int = 14
    hidden: int = 20
    cap: float = 2.0
    batch: int = 32
    steps: int = 300
    lr: float = 4e-3
    objectives: dict[str, dict[str, Any]] = field(default_factory=lambda: {
        "likelihood": {"weight": 1.0, "start": 0},
        "consistency": {"weight": 0.2, "start": 60},
    })
