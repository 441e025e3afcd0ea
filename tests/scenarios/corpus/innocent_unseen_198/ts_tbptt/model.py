from torch import nn


class Forecaster(nn.Module):
    def __init__(self, h=24):
        super().__init__()
        self.rnn = nn.LSTM(1, h, batch_first=True)
        self.out = nn.Linear(h, 1)

    def forward(self, x, state):
        y, state = self.rnn(x, state)
        return self.out(y).squeeze(-1) + x.squeeze(-1), state
