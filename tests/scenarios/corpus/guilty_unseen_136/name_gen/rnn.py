import torch
from torch import nn


class CharRNN(nn.Module):
    def __init__(self, n_char, n_hidden):
        super().__init__()
        self.n_hidden = n_hidden
        self.i2h = nn.Linear(n_char + n_hidden, n_hidden)
        self.i2o = nn.Linear(n_hidden, n_char)
        self.softmax = nn.LogSoftmax(dim=1)
        self.hidden = self.fresh()

    def fresh(self):
        return torch.zeros(1, self.n_hidden)

    def forward(self, char):
        both = torch.cat((char, self.hidden), 1)
        self.hidden = torch.tanh(self.i2h(both))  # <- culprit
        return self.softmax(self.i2o(self.hidden))
