from __future__ import annotations

import logging

import torch
from torch import nn

from loop import Context

log = logging.getLogger(__name__)


class MonotoneProjection:
    def __init__(self, names: list[str], every: int, warmup: int) -> None:
        self.names = set(names)
        self.every = every
        self.warmup = warmup

    @torch.no_grad()
    def __call__(self, ctx: Context) -> None:
        if ctx.step < self.warmup or ctx.step % self.every:
            return
        for name, p in ctx.model.named_parameters():
            if name in self.names:
                p.clamp_(min=0.0)  # <- culprit


class GradClip:
    def __init__(self, norm: float) -> None:
        self.norm = norm

    def __call__(self, ctx: Context) -> None:
        nn.utils.clip_grad_norm_(ctx.model.parameters(), self.norm)


class Progress:
    def __init__(self, every: int) -> None:
        self.every = every

    def __call__(self, ctx: Context) -> None:
        if ctx.step % self.every == 0:
            log.info("step %d loss %.4f", ctx.step, ctx.loss)
