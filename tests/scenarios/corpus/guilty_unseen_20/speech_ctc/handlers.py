"""Stock handlers."""
from __future__ import annotations

import torch

from engine import Engine, Events


class GradClip:
    def __init__(self, model, max_norm: float) -> None:
        self.params = list(model.parameters())
        self.max_norm = max_norm

    def attach(self, engine: Engine) -> None:
        engine.on(Events.GRADIENTS_READY, lambda e: torch.nn.utils.clip_grad_norm_(self.params, self.max_norm))


class ProgressLine:
    def __init__(self, every: int) -> None:
        self.every = every

    def attach(self, engine: Engine) -> None:
        engine.on(Events.ITERATION_COMPLETED, self)

    def __call__(self, engine: Engine) -> None:
        i = engine.state.iteration + 1
        if i % self.every == 0:
            print(f"iter {i}: " + ", ".join(f"{k} {v.item():.3f}" for k, v in engine.state.output.items()))


class LazyMetrics:
    """Tables of scalars. Conversion is put off to the end of the run, so that no step waits for the device."""

    def __init__(self, keys: list[str]) -> None:
        self.keys = keys
        self.pending: list = []
        self.table: dict[str, list[float]] = {k: [] for k in keys}

    def attach(self, engine: Engine) -> None:
        engine.on(Events.ITERATION_COMPLETED, self.collect)
        engine.on(Events.COMPLETED, self.resolve)

    def collect(self, engine: Engine) -> None:
        out = engine.state.output
        self.pending.extend((key, lambda v=out[key]: v.item()) for key in self.keys)  # <- culprit

    def resolve(self, engine: Engine) -> None:
        for key, value in self.pending:
            self.table[key].append(value())
        self.pending.clear()
