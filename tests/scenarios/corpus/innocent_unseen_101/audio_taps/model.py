import torch
from torch import nn


class ChordNet(nn.Module):
    def __init__(self, n_mel, hidden, n_chords):
        super().__init__()
        self.conv = nn.Conv1d(n_mel, hidden, 3, padding=1)
        self.lstm = nn.LSTM(hidden, hidden, batch_first=True)
        self.logits = nn.Linear(hidden, n_chords)

    def forward(self, x):
        h = torch.relu(self.conv(x)).transpose(1, 2)
        h, _ = self.lstm(h)
        return self.logits(h)
