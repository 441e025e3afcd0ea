from torch import nn


class Forecaster(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.trend = nn.GRU(1, 8, batch_first=True)
        self.out = nn.Linear(hidden, 1)
        self.slope = nn.Linear(8, 1)

    def forward(self, x, state):
        state = state or {"lstm": None, "trend": None}
        h, lstm = self.lstm(x, state["lstm"])
        g, trend = self.trend(x, state["trend"])
        return self.out(h) + self.slope(g), {"lstm": lstm, "trend": trend}
