import torch
import torch.nn as nn


class TideLSTM(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.lstm = nn.LSTM(1, hidden_size, batch_first=True)
        self.linear = nn.Linear(hidden_size, 1)
        self.hidden = None

    def init_hidden(self, batch):
        self.hidden = (torch.zeros(1, batch, self.hidden_size), torch.zeros(1, batch, self.hidden_size))

    def forward(self, x):
        out, self.hidden = self.lstm(x, self.hidden)  # <- culprit
        return self.linear(out)
