from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch


@dataclass(frozen=True, slots=True)
class FeedConfig:
    batch: int = 96
    n_numeric: int = 14
    n_codes: int = 40
    levels: int = 4


@dataclass(frozen=True, slots=True)
class ClaimBatch:
    numeric: torch.Tensor
    codes: torch.Tensor
    level: torch.Tensor


class ClaimFeed:
    """Endless stream of synthetic claims with a hidden severity rule."""

    def __init__(self, cfg: FeedConfig) -> None:
        self.cfg = cfg
        self._rule = torch.randn(cfg.n_numeric, cfg.levels)
        self._code_effect = torch.randn(cfg.n_codes, cfg.levels)

    def __iter__(self) -> Iterator[ClaimBatch]:
        c = self.cfg
        while True:
            numeric = torch.randn(c.batch, c.n_numeric)
            codes = torch.randint(c.n_codes, (c.batch, 3))
            utility = numeric @ self._rule + self._code_effect[codes].sum(1)
            yield ClaimBatch(numeric, codes, (utility + torch.randn_like(utility)).argmax(-1))
