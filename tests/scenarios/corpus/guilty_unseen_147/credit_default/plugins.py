from abc import ABC
from dataclasses import dataclass

import torch


@dataclass
class BatchContext:
    index: int
    probs: torch.Tensor
    labels: torch.Tensor
    optimizer: torch.optim.Optimizer


class Plugin(ABC):
    def before_step(self, ctx: BatchContext) -> None:
        return None

    def after_step(self, ctx: BatchContext) -> None:
        return None


class LrWarmup(Plugin):
    def __init__(self, steps: int, peak: float = 5e-3):
        self.steps, self.peak = steps, peak

    def before_step(self, ctx):
        for group in ctx.optimizer.param_groups:
            group["lr"] = self.peak * min(1.0, (ctx.index + 1) / self.steps)


class CalibrationAudit(Plugin):
    def __init__(self, n_bins: int):
        self.n_bins = n_bins
        self._bins = [torch.empty(0) for _ in range(n_bins)]
        self._hits = [torch.empty(0) for _ in range(n_bins)]

    def after_step(self, ctx):
        slot = (ctx.probs * self.n_bins).long().clamp(max=self.n_bins - 1)
        for b in range(self.n_bins):
            self._extend(b, slot == b, ctx)

    def _extend(self, b, mask, ctx):
        if mask.any():
            self._bins[b] = torch.cat([self._bins[b], ctx.probs[mask]])  # <- culprit
            self._hits[b] = torch.cat([self._hits[b], ctx.labels[mask]])

    def expected_error(self) -> float:
        n = sum(len(h) for h in self._hits)
        gaps = [len(h) / n * float((p.mean() - h.mean()).abs()) for p, h in zip(self._bins, self._hits) if len(h)]
        return round(sum(gaps), 4)
