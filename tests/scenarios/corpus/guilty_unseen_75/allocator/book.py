"""Running account of the strategy."""
from dataclasses import dataclass, field

import torch
from torch import Tensor


@dataclass
class Book:
    log_wealth: Tensor = field(default_factory=lambda: torch.zeros(()))
    peak: float = 0.0
    periods: int = 0

    def mark(self, period_return: Tensor) -> None:
        """Mark the book to market after a rebalance."""
        self.log_wealth = self.log_wealth + torch.log1p(period_return)  # <- culprit
        self.peak = max(self.peak, self.log_wealth.item())
        self.periods += 1

    @property
    def drawdown(self) -> Tensor:
        return (self.peak - self.log_wealth).clamp(min=0.0)
