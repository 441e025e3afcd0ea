from __future__ import annotations

from typing import Callable

import torch
from torch import nn

_MAKERS: dict[tuple[str, str], Callable[..., nn.Module]] = {}


def register(group: str, name: str):
    def deco(fn):
        _MAKERS[group, name] = fn
        return fn

    return deco


def build(group: str, name: str, **kw) -> nn.Module:
    return _MAKERS[group, name](**kw)


@register("head", "quantile")
class QuantileNet(nn.Module):
    taus = (0.1, 0.5, 0.9)

    def __init__(self, n_in: int) -> None:
        super().__init__()
        self.n_in = n_in
        self.body = nn.Sequential(nn.Linear(n_in, 18), nn.Tanh())
        self.heads = nn.ModuleList(nn.Linear(18, 1) for _ in self.taus)

    def forward(self, x):
        h = self.body(x)
        return torch.cat([head(h) for head in self.heads], 1)
