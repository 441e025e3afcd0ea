from __future__ import annotations

import torch
from torch import Tensor

from config import Config


class SoundBank:
    """Each class is a spectral envelope with noise."""

    def __init__(self, cfg: Config) -> None:
        self.cfg = cfg
        self.envelopes = torch.randn(cfg.classes, cfg.mels)

    def query(self) -> tuple[Tensor, Tensor]:
        y = torch.randint(self.cfg.classes, (self.cfg.batch,))
        return self._render(y), y

    def support(self) -> Tensor:
        """(classes, per_class, mels)"""
        y = torch.arange(self.cfg.classes).repeat_interleave(self.cfg.support_per_class)
        return self._render(y).view(self.cfg.classes, self.cfg.support_per_class, -1)

    def _render(self, y: Tensor) -> Tensor:
        return self.envelopes[y] + 0.8 * torch.randn(len(y), self.cfg.mels)
