"""Low-rank adapters around frozen nn.Linear layers."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, base, rank=4, alpha=8.0):
        super().__init__()
        self.base = base
        self.scale = alpha / rank
        self.A = nn.Parameter(torch.empty(rank, base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, rank))
        nn.init.kaiming_uniform_(self.A, a=math.sqrt(5))
        self._delta = None

    def delta(self):
        """Low-rank update, as a full matrix (one matmul per layer, not per token)."""
        if self._delta is None:
            self._delta = self.scale * (self.B @ self.A)  # <- culprit
        return self._delta  # <- culprit

    def forward(self, x):
        return F.linear(x, self.base.weight + self.delta(), self.base.bias)


def inject_lora(model, names, rank):
    for name in names:
        layer = getattr(model, name)
        setattr(model, name, LoRALinear(layer, rank=rank))
    return model


def trainable(model):
    return [p for p in model.parameters() if p.requires_grad]
