"""Immutable snapshot of the tuner: weights, momentum, version."""
from dataclasses import dataclass, field, replace
from typing import Dict

import torch


@dataclass(frozen=True)
class TuneState:
    params: Dict[str, torch.Tensor]
    velocity: Dict[str, torch.Tensor] = field(default_factory=dict)
    version: int = 0
    momentum: float = 0.8

    def stepped(self, grads, lr):
        velocity = {k: self.momentum * self.velocity.get(k, 0.0) + g for k, g in grads.items()}
        new_params = {k: p - lr * velocity[k] for k, p in self.params.items()}  # <- culprit
        return replace(self, params=new_params, velocity=velocity, version=self.version + 1)  # <- culprit


def fresh_state(n_in, hidden, gen):
    params = {
        "w1": torch.randn(n_in, hidden, generator=gen) / n_in ** 0.5,
        "b1": torch.zeros(hidden),
        "w2": torch.randn(hidden, 1, generator=gen) / hidden ** 0.5,
        "b2": torch.zeros(1),
    }
    return TuneState({k: v.requires_grad_() for k, v in params.items()})
