from torch import nn


class StatefulGRU(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.gru = nn.GRU(features, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)
        self.hidden = None

    def reset(self):
        self.hidden = None

    def forward(self, x):
        seq, self.hidden = self.gru(x, self.hidden)  # <- culprit
        return self.out(seq).squeeze(-1)
