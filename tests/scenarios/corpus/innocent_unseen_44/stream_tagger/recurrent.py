import torch
from torch import nn


class StatefulTagger(nn.Module):
    def __init__(self, channels, width, layers):
        super().__init__()
        self.lstm = nn.LSTM(channels, width, layers, batch_first=True)
        self.head = nn.Linear(width, 1)

    def initial_state(self, rows):
        shape = (self.lstm.num_layers, rows, self.lstm.hidden_size)
        return torch.zeros(shape), torch.zeros(shape)

    def forward(self, chunk, state):
        out, state = self.lstm(chunk, state)
        return self.head(out).squeeze(-1), state

    @staticmethod
    def cut(state):
        return tuple(s.detach() for s in state)
