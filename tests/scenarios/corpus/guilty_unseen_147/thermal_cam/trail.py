from __future__ import annotations

from dataclasses import dataclass

import torch


@dataclass
class Frame:
    step: int
    score: float
    pixels: torch.Tensor


class AuditTrail:
    def __init__(self, keep_score_over: float) -> None:
        self.keep_score_over = keep_score_over
        self._frames: list[Frame] = []

    def log(self, step: int, score: float, heat: torch.Tensor) -> None:
        if score > self.keep_score_over:
            self._frames.append(Frame(step, score, heat.detach().clone()))  # <- culprit

    def summary(self) -> str:
        worst = max(self._frames, key=lambda f: f.score)
        return f"worst step {worst.step}: {worst.score:.4f} (peak {worst.pixels.max():.2f})"
