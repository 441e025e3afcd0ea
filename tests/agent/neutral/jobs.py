"""What the neutral jobs have in common: how one is announced, and a small model."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from torch import nn

ITERATIONS = 20
Job = Callable[[], Iterator[object]]
JOBS: list[Job] = []


def job(function: Job) -> Job:
    JOBS.append(function)
    return function


def numbers(model: nn.Module) -> Iterator[object]:
    for parameter in model.parameters():
        yield parameter
        yield parameter.grad


def mlp() -> nn.Module:
    return nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Dropout(0.1), nn.Linear(16, 1))
