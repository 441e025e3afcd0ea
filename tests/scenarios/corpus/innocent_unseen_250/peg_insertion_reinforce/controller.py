import torch
from torch import nn
from torch.distributions import Independent
from torch.distributions import Normal


class InsertionController(nn.Module):
    def __init__(self, readings, hidden):
        super().__init__()
        self.hidden = hidden
        self.memory = nn.LSTMCell(readings, hidden)
        self.motion = nn.Linear(hidden, 2)
        self.spread = nn.Parameter(torch.zeros(2))
        self.state = None

    def begin(self, parallel):
        self.state = (torch.zeros(parallel, self.hidden), torch.zeros(parallel, self.hidden))

    def forward(self, readings):
        self.state = self.memory(readings, self.state)
        centre = self.motion(self.state[0])
        return Independent(Normal(centre, self.spread.exp().expand_as(centre)), 1)
