import torch
from torch import nn


class CarryMixin:
    _carry = None

    @property
    def carry(self):
        return self._carry

    @carry.setter
    def carry(self, value):
        self._carry = value

    def cut(self):
        if self._carry is not None:
            self._carry = tuple(t.detach() for t in self._carry)


class StatefulForecaster(CarryMixin, nn.Module):
    def __init__(self, signals, width):
        super().__init__()
        self.cell = nn.LSTMCell(signals, width)
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        self.carry = self.cell(x, self.carry)
        return self.head(self.carry[0]).squeeze(-1)
