from __future__ import annotations

from typing import Iterator

import torch
from torch import Tensor


def event_stream(batch: int, channels: int, classes: int, window: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Each row keeps one gesture for a while, then switches."""
    rates = torch.rand(classes, channels) * 2
    label = torch.randint(classes, (batch,))
    while True:
        switch = torch.rand(batch) < 0.1
        label = torch.where(switch, torch.randint(classes, (batch,)), label)
        yield torch.poisson(rates[label].unsqueeze(1).expand(-1, window, -1)), label
