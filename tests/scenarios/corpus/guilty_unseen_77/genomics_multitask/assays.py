from dataclasses import dataclass
from typing import Callable

import torch.nn.functional as F


@dataclass(frozen=True)
class Assay:
    name: str
    out_dim: int
    loss_fn: Callable
    weight: float = 1.0
    starts_at: int = 0
    per_base: bool = False

    def loss(self, model, z, batch):
        pred = model.readout(self.name, z, pooled=not self.per_base)
        return self.weight * self.loss_fn(pred, batch[self.name])


def default_assays():
    return [
        Assay("access", 1, F.binary_cross_entropy_with_logits),
        Assay("splice", 1, F.binary_cross_entropy_with_logits, weight=0.5, starts_at=15, per_base=True),
        Assay("conserv", 1, F.mse_loss, weight=2.0, starts_at=30),
    ]
