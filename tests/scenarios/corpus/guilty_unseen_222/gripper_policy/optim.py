from typing import Iterable

from torch import nn


class PlainSGD:
    def __init__(self, params: Iterable[nn.Parameter], lr: float, max_norm: float = 1.0) -> None:
        self.params = list(params)
        self.lr = lr
        self.max_norm = max_norm

    def zero_grad(self) -> None:
        for p in self.params:
            p.grad = None

    def step(self) -> None:
        nn.utils.clip_grad_norm_(self.params, self.max_norm)
        for p in self.params:
            if p.grad is not None:
                p.data.add_(p.grad, alpha=-self.lr)


class StepDecay:
    def __init__(self, optimizer: PlainSGD, every: int, factor: float) -> None:
        self.optimizer = optimizer
        self.every = every
        self.factor = factor
        self.count = 0

    def step(self) -> None:
        self.count += 1
        if self.count % self.every == 0:
            self.optimizer.lr *= self.factor
