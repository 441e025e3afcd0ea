import torch
from torch import nn


class Tracker(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.cell = nn.GRUCell(10, dim)
        self.read = nn.Linear(dim, 1)
        self._memory = None

    @property
    def memory(self):
        return self._memory

    @memory.setter
    def memory(self, h):
        self._memory = h

    def cut(self):
        self.memory = self.memory.detach()

    def forward(self, frame):
        self.memory = self.cell(frame, self.memory)
        return 5.2 + self.read(self.memory)


class Window:
    """Collects frame losses; says when the window is full."""

    def __init__(self, length):
        self.length, self.items = length, []

    def push(self, loss):
        self.items.append(loss)
        return len(self.items) == self.length

    def close(self):
        total = torch.stack(self.items).mean()
        self.items = []
        return total
