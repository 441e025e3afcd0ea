from typing import Callable

import torch
from torch import Tensor

from .core import Plugin, TrainState

_FACTORIES: dict[str, Callable[..., Plugin]] = {}


def plugin(name: str):
    def add(cls: type[Plugin]) -> type[Plugin]:
        _FACTORIES[name] = cls
        return cls
    return add


def create(name: str, **options) -> Plugin:
    return _FACTORIES[name](**options)


@plugin("window")
class Window(Plugin):
    """Gathers the losses of `size` visits and makes one update of them."""

    def __init__(self, size: int) -> None:
        self.size = size

    def collect(self, state: TrainState, embedding: Tensor, loss: Tensor) -> None:
        state.pending.append(loss)
        if len(state.pending) == self.size:
            self.flush(state)

    def flush(self, state: TrainState) -> None:
        joint = torch.stack(state.pending).mean()
        state.optimizer.zero_grad()
        joint.backward()
        state.optimizer.step()
        state.pending = []
        state.curve.append(joint.item())
        state.update += 1


@plugin("prototype")
class Prototype(Plugin):
    """Average customer, which embeddings are softly drawn to."""

    def __init__(self, momentum: float) -> None:
        self.momentum = momentum

    def collect(self, state: TrainState, embedding: Tensor, loss: Tensor) -> None:
        centre = embedding.data.mean(0)
        if state.prototype is not None:
            centre = self.momentum * state.prototype + (1 - self.momentum) * centre
        state.prototype = centre


@plugin("console")
class Console(Plugin):
    def __init__(self, every: int) -> None:
        self.every = every

    def updated(self, state: TrainState) -> None:
        if state.update % self.every == 0:
            recent = state.curve[-self.every:]
            print(f"visit {state.visit} update {state.update}: {sum(recent) / len(recent):.4f}")
