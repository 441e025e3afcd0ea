"""Weights that are changed by whoever hears of something, under a name that leads to none."""

from __future__ import annotations

import torch
from torch import nn

from ..common import STEPS


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(4, 8), nn.Linear(8, 1)

    def bounded(self):
        yield self.last.weight

    def forward(self, x):
        return self.last(self.first(x).tanh())


class Ball:
    @torch.no_grad()
    def hear(self, model):
        for weight in model.bounded():
            weight.mul_(0.5 / weight.norm())  # <- inplace-modified


def by_a_listener_that_scales_them():
    """inplace-modified | - | words"""
    model, listeners = Scaled(), [Ball().hear]
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).pow(2).mean()
        for listener in listeners:
            listener(model)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
