import torch
from torch import nn


class StatefulCore(nn.Module):
    """GRU cell which remembers its state between calls, so that callers need not thread it through."""

    def __init__(self, d_in, d_hid):
        super().__init__()
        self.cell = nn.GRUCell(d_in, d_hid)
        self._state = None

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, value):
        self._state = value  # <- culprit

    def reset(self, batch):
        self.state = torch.zeros(batch, self.cell.hidden_size)

    def forward(self, x):
        self.state = self.cell(x, self.state)  # <- culprit
        return self.state  # <- culprit
