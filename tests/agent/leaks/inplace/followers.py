"""A target that follows, between a forward of it and the backward."""

from __future__ import annotations

import torch
from torch import nn

from ..common import STEPS


def follow(target, source):
    state = target.state_dict()
    for name, value in source.state_dict().items():
        state[name].lerp_(value, 0.1)


def by_a_target_that_follows_by_its_state():
    """inplace-modified | - | words"""
    torch.manual_seed(0)
    own, target = nn.Linear(4, 3), nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 3))
    other = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 3))
    optimizer = torch.optim.SGD(own.parameters(), 0.1)
    for _ in range(STEPS):
        x = torch.randn(5, 4)
        aim = target(x)
        follow(target, other)  # <-
        loss = (own(x) - aim).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
