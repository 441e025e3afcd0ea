from torch import nn


class VibrationNet(nn.Module):
    def __init__(self, channels=3, hidden=20, classes=5):
        super().__init__()
        self.stem = nn.Linear(channels, 16)
        self.rnn = nn.GRU(16, hidden, batch_first=True)
        self.head = nn.Linear(hidden, classes)

    def forward(self, x):
        out, _ = self.rnn(self.stem(x).relu())
        return self.head(out[:, -1])
