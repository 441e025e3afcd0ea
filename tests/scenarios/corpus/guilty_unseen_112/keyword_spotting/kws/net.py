from torch import nn


class SpotterNet(nn.Module):
    """1-d convolutions over time, mel bands as channels."""

    def __init__(self, n_mels, n_words, width=32):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(n_mels, width, 5, stride=2),
            nn.BatchNorm1d(width),
            nn.ReLU(),
            nn.Conv1d(width, width, 3, stride=2),
            nn.ReLU(),
            nn.AdaptiveAvgPool1d(1),
        )
        self.out = nn.Linear(width, n_words)

    def forward(self, x):
        return self.out(self.body(x).squeeze(-1))
