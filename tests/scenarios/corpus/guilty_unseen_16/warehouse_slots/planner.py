import torch
from torch import nn


class SlotPlanner(nn.Module):
    def __init__(self, aisles, width):
        super().__init__()
        self.read = nn.Linear(aisles, width)
        self.carry = nn.Parameter(torch.rand(width) * 0.9)
        self.write = nn.Linear(width, aisles)
        self.width = width
        self.memory = None

    def forward(self, picks, keep=True):
        previous = self.memory
        if previous is None:
            previous = picks.new_zeros(picks.shape[0], self.width)
        hidden = torch.tanh(torch.addcmul(self.read(picks), self.carry, previous))
        if keep:
            self.memory = hidden  # <- culprit
        return self.write(hidden)
