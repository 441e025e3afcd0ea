import torch
from torch import nn


class RunningScaleLoss(nn.Module):
    """Divides each term by its own running magnitude so that terms of different units can be added."""

    def __init__(self, base, momentum=0.95):
        super().__init__()
        self.base = base
        self.momentum = momentum
        self.mean = None
        self.n_calls = 0

    def forward(self, pred, target):
        raw = self.base(pred, target)
        now = raw.detach()
        if self.mean is None:
            self.mean = now
        else:
            self.mean = self.momentum * self.mean + (1 - self.momentum) * now
        self.n_calls += 1
        return raw / (self.mean + 1e-8)


class SumLoss(nn.Module):
    def __init__(self, **parts):
        super().__init__()
        self.parts = nn.ModuleDict(parts)
        self.last = {}

    def forward(self, preds, targets):
        terms = {k: fn(preds[k], targets[k]) for k, fn in self.parts.items()}
        self.last = terms
        return sum(terms.values())
