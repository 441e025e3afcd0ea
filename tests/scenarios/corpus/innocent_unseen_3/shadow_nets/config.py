from dataclasses import dataclass, field
from typing import List


@dataclass(frozen=True)
class Plan:
    seed: int = 9
    inputs: int = 30
    width: int = 64
    blocks: int = 9
    recipe: List[str] = field(default_factory=lambda: ["plain", "new", "old"])
    batches: int = 330
    rows: int = 96
    lr: float = 2e-3
