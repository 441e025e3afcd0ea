from torch import nn


class BeatClassifier(nn.Module):
    def __init__(self, hidden=12, classes=3):
        super().__init__()
        self.stem = nn.Conv1d(1, 8, 7, stride=2)
        self.lstm = nn.LSTM(8, hidden, batch_first=True, bidirectional=True)
        self.head = nn.Sequential(nn.Dropout(0.1), nn.Linear(2 * hidden, classes))

    def forward(self, x):
        z = self.stem(x.unsqueeze(1)).relu().transpose(1, 2)
        seq, _ = self.lstm(z)
        return self.head(seq.amax(1))
