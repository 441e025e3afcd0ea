from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Iterable, Optional

import torch
import torch.nn.functional as F
from torch import Tensor

from carried import Carried
from net import RainCell


class StreamState:
    memory = Carried()

    def __init__(self, net: RainCell, optimizer: torch.optim.Optimizer) -> None:
        self.net, self.optimizer = net, optimizer
        self.frame = 0
        self.updates = 0
        self.window = 1
        self.running_loss: Optional[Tensor] = None
        self.smoothed = 0.0
        self.memory = None

    def at_border(self) -> bool:
        return self.frame % self.window == 0


@dataclass
class StreamLoop:
    state: StreamState
    window: int

    def __post_init__(self) -> None:
        self.state.window = self.window

    def observe(self, frame: Tensor, upcoming: Tensor) -> None:
        s = self.state
        predicted, memory = s.net(frame, s.memory)
        error = F.mse_loss(predicted, upcoming)
        s.running_loss = error if s.running_loss is None else s.running_loss + error
        s.frame += 1
        s.memory = memory

    def update(self) -> None:
        s = self.state
        loss = s.running_loss / self.window
        s.optimizer.zero_grad()
        loss.backward()
        s.optimizer.step()
        s.running_loss = None
        s.updates += 1
        s.smoothed = 0.95 * s.smoothed + 0.05 * loss.item()

    def run(self, stream: Iterable[Tensor]) -> None:
        for frame, upcoming in pairwise(stream):
            self.observe(frame, upcoming)
            if self.state.at_border():
                self.update()
                if self.state.updates % 50 == 0:
                    print(f"update {self.state.updates}: {self.state.smoothed:.5f}")
