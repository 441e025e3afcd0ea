"""Shared trunk, one head per task."""
from dataclasses import dataclass
from typing import Callable

import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class Task:
    width: int
    loss: Callable
    weight: float = 1.0


TASKS = {
    "load": Task(1, F.smooth_l1_loss, 2.0),
    "occupancy": Task(1, F.binary_cross_entropy_with_logits),
    "tariff": Task(4, F.cross_entropy, 0.5),
}


class MultiHead(nn.Module):
    def __init__(self, slots, hidden=40):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(slots, hidden), nn.LayerNorm(hidden), nn.GELU(),
                                   nn.Linear(hidden, hidden), nn.GELU())
        self.heads = nn.ModuleDict({n: nn.Linear(hidden, t.width) for n, t in TASKS.items()})

    def forward(self, x):
        z = self.trunk(x)
        return {name: head(z) for name, head in self.heads.items()}

    def losses(self, x, targets):
        out = self(x)
        return {name: task.loss(out[name], targets[name]) for name, task in TASKS.items()}
