"""What jobs of several modules use."""

from __future__ import annotations

import collections
from dataclasses import dataclass

import torch
from torch import nn

STEPS = 40


def job():
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def step():
        loss = model(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step


def sgd_of(model):
    return torch.optim.SGD(model.parameters(), 0.01)


def actor():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    return model, torch.optim.Adam(model.parameters(), lr=1e-3)


class Handlers:
    def __init__(self):
        self.handlers = collections.defaultdict(list)

    def fire(self, event, loss):
        for handler, _ in self.handlers[event]:
            handler(loss)


@dataclass
class Row:
    step: int
    loss: torch.Tensor


@dataclass
class Rollout:
    states: torch.Tensor
    log_probs: torch.Tensor

    def flat(self):
        return Rollout(self.states.flatten(0, 1), self.log_probs.flatten(0, 1))
