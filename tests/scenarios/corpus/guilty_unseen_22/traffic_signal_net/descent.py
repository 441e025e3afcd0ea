from typing import Iterable

import torch


class MomentumDescent:
    """Same update as our C++ solver (velocity scaled by rate at application time)."""

    def __init__(self, parameters: Iterable[torch.nn.Parameter], rate: float, momentum: float, limit: float = 1.0):
        self.parameters = list(parameters)
        self.rate, self.momentum, self.limit = rate, momentum, limit
        self.velocity = [torch.zeros_like(p.data) for p in self.parameters]

    def clear(self) -> None:
        for p in self.parameters:
            p.grad = None

    def update(self) -> None:
        for p, v in zip(self.parameters, self.velocity):
            if p.grad is None:
                continue
            g = p.grad.data.clamp(-self.limit, self.limit)
            v.mul_(self.momentum).add_(g)
            p.data.add_(v, alpha=-self.rate)
