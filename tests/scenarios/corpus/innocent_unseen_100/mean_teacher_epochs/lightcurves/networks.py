from torch import nn


class CurveNet(nn.Module):
    def __init__(self, p):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1d(1, p.channels, 5, padding=2), nn.ReLU(),
            nn.Conv1d(p.channels, p.channels, 3, padding=1), nn.ReLU(),
            nn.AdaptiveMaxPool1d(4), nn.Flatten(), nn.Linear(4 * p.channels, p.classes),
        )

    def forward(self, x):
        return self.net(x)
