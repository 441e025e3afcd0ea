import torch
from torch import nn

from .memory import SlotMemory


class DispatchModel(nn.Module):
    """Predicts the queue length after a series of calls."""

    def __init__(self, fields, width, n_slots):
        super().__init__()
        self.fields = fields
        self.inp = nn.Linear(fields, width)
        self.join = nn.Linear(2 * width, width)
        self.out = nn.Linear(width, 1)
        self.memory = SlotMemory(n_slots, width)
        self.writing = False

    def forward(self, calls):
        self.memory.open(calls.shape[0])
        for k in range(calls.shape[1]):
            q = torch.tanh(self.inp(calls[:, k]))
            h = torch.tanh(self.join(torch.cat([q, self.memory.read(q)], 1)))
            if self.writing:
                self.memory.write(k, h)
        return self.out(h).squeeze(1)
