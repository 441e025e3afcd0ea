"""Two stacked LSTM cells with a non-negative output."""
import torch
import torch.nn.functional as F
from torch import nn


class DischargeCell(nn.Module):
    def __init__(self, n_in, hidden):
        super().__init__()
        self.hidden = hidden
        self.low = nn.LSTMCell(n_in, hidden)
        self.high = nn.LSTMCell(hidden, hidden)
        self.out = nn.Linear(hidden, 1)

    def start(self, n):
        return tuple((torch.zeros(n, self.hidden), torch.zeros(n, self.hidden)) for _ in range(2))

    @staticmethod
    def cut(state):
        """The same numbers, without their past."""
        return tuple(tuple(s.detach() for s in layer) for layer in state)

    def forward(self, x, state):
        low = self.low(x, state[0])
        high = self.high(low[0], state[1])
        return F.softplus(self.out(high[0])).squeeze(-1), (low, high)
