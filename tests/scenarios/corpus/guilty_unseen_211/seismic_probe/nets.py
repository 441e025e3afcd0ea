from torch import nn


class PhasePicker(nn.Module):
    def __init__(self, channels, width, bins=16):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv1d(channels, width, 7, stride=2, padding=3), nn.BatchNorm1d(width), nn.ReLU(),
            nn.Conv1d(width, width, 5, stride=2, padding=2), nn.BatchNorm1d(width), nn.ReLU(),
        )
        self.pool = nn.AdaptiveAvgPool1d(bins)
        self.head = nn.Conv1d(width, 1, 1)

    def forward(self, x):
        return self.head(self.pool(self.enc(x))).squeeze(1)
