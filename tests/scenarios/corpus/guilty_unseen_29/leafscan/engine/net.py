from torch import nn


class LeafNet(nn.Module):
    def __init__(self, channels, classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, channels, 3, padding=1), nn.BatchNorm2d(channels), nn.ReLU(),
            nn.Conv2d(channels, channels * 2, 3, stride=2, padding=1), nn.ReLU(),
        )
        self.head = nn.Linear(channels * 2, classes)

    def forward(self, x):
        return self.head(self.features(x).mean(dim=(2, 3)))
