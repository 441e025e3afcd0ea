from contextlib import contextmanager
from dataclasses import dataclass
from typing import Optional

import torch


@dataclass
class Memory:
    hidden: Optional[torch.Tensor] = None
    cell: Optional[torch.Tensor] = None

    @property
    def pair(self):
        return None if self.hidden is None else (self.hidden, self.cell)

    def severed(self):
        if self.hidden is None:
            return self
        return Memory(self.hidden.detach(), self.cell.detach())


class StatefulMixin:
    memory = Memory()

    @contextmanager
    def continuing(self):
        self.memory = self.memory.severed()
        yield self.memory
