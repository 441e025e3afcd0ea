import torch
from torch import nn


class StatefulModule(nn.Module):
    """A module with a named memory that lives from one window to the next."""

    memory_name = "state"

    def __init__(self, width):
        super().__init__()
        self.width = width
        self._memory = {}

    def begin(self, batch):
        self._memory[self.memory_name] = torch.zeros(batch, self.width)

    @property
    def state(self):
        try:
            return self._memory[self.memory_name]
        except KeyError:
            raise RuntimeError("begin() was not called") from None

    @state.setter
    def state(self, value):
        if value.shape[-1] != self.width:
            raise ValueError(f"memory of width {self.width} expected")
        self._memory[self.memory_name] = value  # <- culprit
