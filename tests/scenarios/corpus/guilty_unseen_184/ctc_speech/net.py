import torch.nn as nn


class AcousticModel(nn.Module):
    def __init__(self, mels=20, hidden=32, vocab=9):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(mels, hidden, 5, padding=2), nn.ReLU())
        self.rnn = nn.GRU(hidden, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, vocab)

    def forward(self, feats):
        h = self.conv(feats.transpose(1, 2)).transpose(1, 2)
        h, _ = self.rnn(h)
        return self.out(h)
