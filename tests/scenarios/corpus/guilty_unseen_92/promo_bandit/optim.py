from __future__ import annotations

from typing import Callable, Iterable

import torch
from torch import nn


class SignMomentum(torch.optim.Optimizer):
    """Lion-like update."""

    def __init__(self, params: Iterable[nn.Parameter], lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.99)) -> None:
        super().__init__(params, {"lr": lr, "betas": betas})

    def step(self, closure: Callable[[], float] | None = None) -> None:
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                g = p.grad.data
                m = self.state[p].setdefault("m", torch.zeros_like(p.data))
                p.data.add_(torch.sign(m * b1 + g * (1 - b1)), alpha=-group["lr"])
                m.mul_(b2).add_(g, alpha=1 - b2)
