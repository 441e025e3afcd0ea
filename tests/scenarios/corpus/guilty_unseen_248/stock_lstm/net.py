import torch
import torch.nn as nn


class PriceLSTM(nn.Module):
    def __init__(self, hidden_size, num_layers):
        super(PriceLSTM, self).__init__()
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.lstm = nn.LSTM(1, hidden_size, num_layers, batch_first=True)
        self.fc = nn.Linear(hidden_size, 1)

    def init_state(self, batch_size):
        h = torch.zeros(self.num_layers, batch_size, self.hidden_size)
        c = torch.zeros(self.num_layers, batch_size, self.hidden_size)
        return h, c

    def forward(self, x, state):
        out, state = self.lstm(x, state)
        return self.fc(out[:, -1]), state
