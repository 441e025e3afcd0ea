from torch import nn


class PatchNet(nn.Sequential):
    def __init__(self, classes, width=8):
        super().__init__(
            nn.Conv2d(1, width, 3, padding=1), nn.BatchNorm2d(width), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(width, 2 * width, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(4),
            nn.Flatten(), nn.Linear(2 * width * 16, classes),
        )
