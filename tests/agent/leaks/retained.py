"""Graphs that backward is told to retain, and nobody walks again."""

from __future__ import annotations

import functools

import torch
from torch import nn

from .common import STEPS


def by_a_partial_that_retains():
    """retain-needless | - | words"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    walk = functools.partial(torch.Tensor.backward, retain_graph=True)  # <-
    for _ in range(STEPS):
        optimizer.zero_grad()
        walk(model(torch.randn(8, 4)).pow(2).mean())
        optimizer.step()


def by_settings_that_retain():
    """retain-needless | - | words"""
    model, options = nn.Linear(4, 1), {}
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    options["retain_graph"] = True  # <-
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).pow(2).mean().backward(**options)
        optimizer.step()
