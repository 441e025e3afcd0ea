from dataclasses import dataclass
from typing import Callable, Protocol

import torch

@dataclass(frozen=True)
class TrainerSettings:
    vocabulary: int = 60
    width: int = 16
    batch: int = 24
    rounds: int = 120
    lr: float = 5e-3
    margin: float = 0.5
    seed: int = 17

@dataclass(frozen=True)
class Auction:
    clicked: torch.Tensor
    skipped: torch.Tensor

@dataclass
class FitSummary:
    rounds: int = 0
    final_loss: float = float("nan")

class Work(Protocol):
    def on_commit(self, action: Callable[[], None]) -> None: ...
    def commit(self) -> int: ...
