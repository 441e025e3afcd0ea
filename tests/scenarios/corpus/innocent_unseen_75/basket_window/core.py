from __future__ import annotations

from dataclasses import dataclass, field
from typing import Iterable, Optional

import torch
from torch import Tensor, nn


@dataclass
class TrainState:
    model: nn.Module
    optimizer: torch.optim.Optimizer
    visit: int = 0
    update: int = 0
    prototype: Optional[Tensor] = None
    pending: list[Tensor] = field(default_factory=list)
    curve: list[float] = field(default_factory=list)


class Plugin:
    def collect(self, state: TrainState, embedding: Tensor, loss: Tensor) -> None: ...
    def updated(self, state: TrainState) -> None: ...


class Engine:
    def __init__(self, state: TrainState, plugins: list[Plugin]) -> None:
        self.state, self.plugins = state, plugins

    def visit_loss(self, embedding: Tensor, scores: Tensor, bought: Tensor) -> Tensor:
        loss = nn.functional.binary_cross_entropy_with_logits(scores, bought)
        if self.state.prototype is not None:
            loss = loss + 0.01 * (embedding - self.state.prototype).pow(2).mean()
        return loss

    def run(self, stream: Iterable[tuple[Tensor, Tensor]]) -> None:
        s = self.state
        for seen, bought in stream:
            embedding, scores = s.model(seen)
            loss = self.visit_loss(embedding, scores, bought)
            before = s.update
            for p in self.plugins:
                p.collect(s, embedding, loss)
            s.visit += 1
            if s.update != before:
                for p in self.plugins:
                    p.updated(s)
