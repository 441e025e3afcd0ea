"""Keep objectives of different size comparable."""
from typing import Dict

import torch


class LevelBalancer:
    """Divides every objective by its own exponentially averaged level.

    Rare-event objectives (purchases) would otherwise hardly move the shared embeddings.
    """

    def __init__(self, momentum: float = 0.9):
        self.momentum = momentum
        self.level: Dict[str, torch.Tensor] = {}

    def _observe(self, name: str, loss: torch.Tensor) -> torch.Tensor:
        if name not in self.level:
            self.level[name] = loss.detach()
        else:
            self.level[name] = self.momentum * self.level[name] + (1 - self.momentum) * loss  # <- culprit
        return self.level[name]

    def combine(self, losses: Dict[str, torch.Tensor]) -> torch.Tensor:
        return sum(loss / (self._observe(name, loss) + 1e-6) for name, loss in losses.items())  # <- culprit
