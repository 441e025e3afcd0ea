"""Process-wide table of sensor banks and the background each one has picked up."""
from dataclasses import dataclass, field

import torch

REGISTRY = {}


@dataclass
class Slot:
    name: str
    width: int
    trace: torch.Tensor = field(default=None)
    seen: int = 0

    def __post_init__(self):
        if self.trace is None:
            self.trace = torch.zeros(self.width)


def register(name, width):
    REGISTRY[name] = Slot(name, width)
    return REGISTRY[name]


def background(name):
    return REGISTRY[name].trace


def absorb(name, response, rate=0.08):
    """Slow average of what the bank has been exposed to."""
    slot = REGISTRY[name]
    slot.trace = torch.lerp(slot.trace, response, rate)  # <- culprit
    slot.seen += 1


def summary():
    return {name: slot.trace.detach().norm().item() for name, slot in REGISTRY.items()}
