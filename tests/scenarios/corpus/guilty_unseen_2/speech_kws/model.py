from torch import nn


class DSConv(nn.Module):
    def __init__(self, mel, words, c=24):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(mel, mel, 5, padding=2, groups=mel), nn.Conv1d(mel, c, 1), nn.BatchNorm1d(c), nn.ReLU(),
            nn.Conv1d(c, c, 5, padding=2, groups=c), nn.Conv1d(c, c, 1), nn.BatchNorm1d(c), nn.ReLU(),
            nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(c, words),
        )

    def forward(self, x):
        return self.net(x)
