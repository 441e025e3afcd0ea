from dataclasses import dataclass, replace

import torch

from registry import CALLBACKS


@dataclass(frozen=True)
class Smoothed:
    level: torch.Tensor | None = None
    count: int = 0

    def push(self, x, beta):
        level = x if self.level is None else beta * self.level + (1 - beta) * x
        return replace(self, level=level, count=self.count + 1)  # <- culprit


@CALLBACKS.register("smooth_loss")
class SmoothLoss:
    """Train on the smoothed objective instead of the raw minibatch loss."""

    def __init__(self, beta):
        self.beta = beta
        self.state = Smoothed()

    def on_loss(self, engine, loss):
        self.state = self.state.push(loss, self.beta)  # <- culprit
        return self.state.level


@CALLBACKS.register("printer")
class Printer:
    def __init__(self, every):
        self.every = every

    def on_step_end(self, engine, loss):
        if engine.step % self.every == 0:
            print(f"step {engine.step:4d}  loss {loss.item():.4f}")
