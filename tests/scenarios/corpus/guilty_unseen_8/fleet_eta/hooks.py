"""Hooks that the fit loop calls around every update."""
from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from .loop import FitLoop


class Hook:
    """Base hook.  `before_update` is left empty here; `after_update` tidies up for the next batch."""

    owns_cleanup = False

    def before_update(self, loop: "FitLoop") -> None:
        pass

    def after_update(self, loop: "FitLoop") -> None:
        if self.owns_cleanup:
            loop.optimizer.zero_grad(set_to_none=True)


class GradClip(Hook):
    """Clips the gradient norm and afterwards clears the gradients it has clipped."""

    owns_cleanup = True

    def __init__(self, limit: float, quiet_first: int = 0) -> None:
        self.limit = limit
        self.quiet_first = quiet_first
        self.clipped = 0

    def before_update(self, loop: "FitLoop") -> None:
        norm = torch.nn.utils.clip_grad_norm_(loop.net.parameters(), self.limit)
        self.clipped += int(norm > self.limit)

    def after_update(self, loop: "FitLoop") -> None:  # <- culprit
        if loop.step > self.quiet_first and self.clipped > 0.9 * loop.step:
            print(f"step {loop.step}: nearly every update is clipped, consider a higher limit")
            self.clipped = 0


class ProgressLine(Hook):
    def __init__(self, every: int) -> None:
        self.every = every

    def after_update(self, loop: "FitLoop") -> None:
        if loop.step % self.every == 0:
            print(f"step {loop.step:4d} minutes off {loop.last:.3f}")
        super().after_update(loop)
