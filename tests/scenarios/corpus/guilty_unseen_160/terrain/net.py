from torch import nn


class SlopeNet(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, width, 5, stride=2, padding=2), nn.SiLU(),
            nn.Conv2d(width, width, 3, padding=1), nn.SiLU(),
            nn.Conv2d(width, 2 * width, 3, stride=2, padding=1), nn.SiLU(),
        )
        self.read = nn.Linear(2 * width, 2)

    def forward(self, x):
        return self.read(self.conv(x).mean((2, 3)))
