from __future__ import annotations

from abc import ABC
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from torch import Tensor, nn

if TYPE_CHECKING:
    from engine import Engine


class Callback(ABC):
    def on_batch(self, engine: "Engine", loss: Tensor, logits: Tensor) -> None:
        pass

    def on_epoch_start(self, engine: "Engine") -> None:
        pass

    def on_epoch_end(self, engine: "Engine") -> None:
        pass


@dataclass
class LossCurve(Callback):
    values: list[Tensor] = field(default_factory=list)

    def on_batch(self, engine: "Engine", loss: Tensor, logits: Tensor) -> None:
        self.values.append(loss.detach())

    def on_epoch_end(self, engine: "Engine") -> None:
        recent = self.values[-engine.cfg.batches:]
        print(f"epoch {engine.epoch}: loss {sum(v.item() for v in recent) / len(recent):.4f}")


class ActivationStats(Callback):
    """Watches the pooled features during the first batches of each epoch only."""

    def __init__(self, layer: str, batches: int) -> None:
        self.layer = layer
        self.batches = batches
        self.seen: list[Tensor] = []
        self.handle = None

    def on_epoch_start(self, engine: "Engine") -> None:
        module = engine.model.get_submodule(self.layer)
        self.handle = module.register_forward_hook(self._record)

    def _record(self, module: nn.Module, args: tuple, output: Tensor) -> None:
        self.seen.append(output.detach().mean(dim=0))

    def on_batch(self, engine: "Engine", loss: Tensor, logits: Tensor) -> None:
        if self.handle is not None and len(self.seen) >= self.batches:
            self.handle.remove()
            self.handle = None

    def on_epoch_end(self, engine: "Engine") -> None:
        spread = sum(s.std().item() for s in self.seen) / len(self.seen)
        print(f"  {self.layer} spread {spread:.3f}")
        self.seen.clear()


class WorstBatch(Callback):
    def __init__(self) -> None:
        self.logits: Tensor | None = None
        self.score = float("-inf")

    def on_batch(self, engine: "Engine", loss: Tensor, logits: Tensor) -> None:
        score = loss.item()
        if score > self.score:
            self.score = score
            self.logits = logits.detach().clone()

    def on_epoch_end(self, engine: "Engine") -> None:
        if self.logits is not None:
            entropy = -(self.logits.softmax(-1) * self.logits.log_softmax(-1)).sum(-1).mean().item()
            print(f"  worst batch loss {self.score:.3f} entropy {entropy:.3f}")
        self.logits = None
        self.score = float("-inf")
