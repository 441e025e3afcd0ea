from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Callable

import torch
from torch import Tensor, nn

from config import AnchorConfig
from shadow import Shadow

PENALTIES: dict[str, type["Penalty"]] = {}


def register(name: str) -> Callable[[type["Penalty"]], type["Penalty"]]:
    def deco(cls: type["Penalty"]) -> type["Penalty"]:
        PENALTIES[name] = cls
        return cls
    return deco


class Penalty(ABC):
    def __init__(self, model: nn.Module, cfg: AnchorConfig) -> None:
        self.params = dict(model.named_parameters())
        self.cfg = cfg

    def __call__(self, step: int) -> Tensor:
        if step < self.cfg.start_step:
            return torch.zeros(())
        return self.cfg.weight * self.compute()

    @abstractmethod
    def compute(self) -> Tensor: ...


@register("l2")
class WeightPenalty(Penalty):
    def compute(self) -> Tensor:
        return torch.stack([p.pow(2).sum() for p in self.params.values()]).sum()


@register("moving")
class MovingAnchor(Penalty):
    """Distance to an exponential average of the weights."""

    def __init__(self, model: nn.Module, cfg: AnchorConfig) -> None:
        super().__init__(model, cfg)
        self.shadows = {k: Shadow(p, cfg.momentum) for k, p in self.params.items()}

    def compute(self) -> Tensor:
        terms = []
        for name, p in self.params.items():
            shadow = self.shadows[name]
            terms.append((p - shadow.value).pow(2).sum())
            shadow.value = p  # <- culprit
        return torch.stack(terms).sum()
