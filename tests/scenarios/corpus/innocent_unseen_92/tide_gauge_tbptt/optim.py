from __future__ import annotations

from typing import Any, Iterable

import torch
from torch import nn


class PlainMomentum(torch.optim.Optimizer):
    def __init__(self, params: Iterable[nn.Parameter], lr: float, momentum: float = 0.8, clip: float = 1.0) -> None:
        super().__init__(params, {"lr": lr, "momentum": momentum, "clip": clip})

    def step(self, closure: Any = None) -> None:
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                buf = self.state[p].setdefault("buf", torch.zeros_like(p.data))
                buf.mul_(group["momentum"]).add_(p.grad.data.clamp(-group["clip"], group["clip"]))
                p.data.add_(buf, alpha=-group["lr"])
