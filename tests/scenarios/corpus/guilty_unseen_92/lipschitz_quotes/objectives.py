from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

_REGISTRY: dict[str, type["Objective"]] = {}


@dataclass
class Objective(ABC):
    weight: float
    start: int

    def __init_subclass__(cls, *, key: str) -> None:
        _REGISTRY[key] = cls

    def active(self, step: int) -> bool:
        return step >= self.start

    @abstractmethod
    def __call__(self, model: nn.Module, x: Tensor, logits: Tensor, y: Tensor) -> Tensor: ...


class Likelihood(Objective, key="likelihood"):
    def __call__(self, model: nn.Module, x: Tensor, logits: Tensor, y: Tensor) -> Tensor:
        return F.binary_cross_entropy_with_logits(logits, y)


class Consistency(Objective, key="consistency"):
    """The score should hardly move under small jitter of the inputs."""

    def __call__(self, model: nn.Module, x: Tensor, logits: Tensor, y: Tensor) -> Tensor:
        return F.mse_loss(model(x + 0.05 * torch.randn_like(x)), logits)


def build_objectives(spec: dict[str, dict[str, Any]]) -> list[Objective]:
    return [_REGISTRY[key](**kwargs) for key, kwargs in spec.items()]
