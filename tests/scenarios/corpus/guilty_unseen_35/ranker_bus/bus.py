from collections import defaultdict
from dataclasses import dataclass

import torch

_subscribers = defaultdict(list)


@dataclass(frozen=True)
class StepOutput:
    loss: torch.Tensor
    gain: float


@dataclass(frozen=True)
class BatchDone:
    epoch: int
    step: int
    output: StepOutput


@dataclass(frozen=True)
class EpochDone:
    epoch: int


def subscribe(kind, handler):
    _subscribers[kind].append(handler)


def publish(event):
    for handler in _subscribers[type(event)]:
        handler(event)
