from collections import defaultdict
from dataclasses import dataclass
from enum import Enum
from typing import Callable, Iterable, Optional

import torch
import torch.nn.functional as F
from torch import Tensor

from .board import JunctionBoard
from .net import FlowNet
from .stream import Tick


class On(str, Enum):
    FORECAST = "forecast"
    STEP = "step"


@dataclass
class TrainState:
    net: FlowNet
    board: JunctionBoard
    optimizer: torch.optim.Optimizer
    tick: int = 0
    batch: Optional[Tick] = None
    forecast: Optional[Tensor] = None
    updated: Optional[Tensor] = None
    loss: Optional[Tensor] = None


class Engine:
    def __init__(self, state: TrainState) -> None:
        self.state = state
        self._subs: dict[On, list[Callable[[TrainState], None]]] = defaultdict(list)

    def subscribe(self, event: On, fn: Callable[[TrainState], None]) -> None:
        self._subs[event].append(fn)

    def _emit(self, event: On) -> None:
        for fn in self._subs[event]:
            fn(self.state)

    def run(self, stream: Iterable[Tick]) -> None:
        s = self.state
        for s.tick, s.batch in enumerate(stream):
            b = s.batch
            s.forecast, s.updated = s.net(s.board.memory, b.adjacency, b.rows, b.readings)
            self._emit(On.FORECAST)
            s.loss = F.smooth_l1_loss(s.forecast, b.flow)
            s.optimizer.zero_grad()
            s.loss.backward()
            s.optimizer.step()
            self._emit(On.STEP)
