from __future__ import annotations

from torch import Tensor, nn

from state import StatefulMixin
from surrogate import spike


class LIF(StatefulMixin, nn.Module):
    state_names = ("membrane",)

    def __init__(self, n_in: int, n_out: int, decay: float = 0.85) -> None:
        super().__init__()
        self.inp = nn.Linear(n_in, n_out)
        self.decay = decay
        self.declare_state("membrane")

    def threshold(self, current: Tensor) -> Tensor | float:
        return 1.0

    def after_spike(self, s: Tensor) -> None:
        """Hook for subclasses with more state."""

    def forward(self, x: Tensor) -> Tensor:
        current = self.inp(x)
        v = self.decay * self.ensure_state("membrane", current) + current
        s = spike(v - self.threshold(current))
        self.membrane = v - s.detach()
        self.after_spike(s)
        return s


class AdaptiveLIF(LIF):
    """Threshold rises with recent firing (Bellec et al. style)."""

    def __init__(self, n_in: int, n_out: int, decay: float = 0.85, rho: float = 0.95, beta: float = 0.3) -> None:
        super().__init__(n_in, n_out, decay)
        self.rho, self.beta = rho, beta
        self.declare_state("theta")  # <- culprit

    def threshold(self, current: Tensor) -> Tensor:
        return 1.0 + self.beta * self.ensure_state("theta", current)

    def after_spike(self, s: Tensor) -> None:
        self.theta = self.rho * self.theta + (1 - self.rho) * s  # <- culprit
