from torch import nn


class PatchNet(nn.Sequential):
    def __init__(self, classes):
        super().__init__(
            nn.Conv2d(1, 8, 5, stride=2),
            nn.GELU(),
            nn.Conv2d(8, 12, 3),
            nn.GELU(),
            nn.Flatten(),
            nn.Linear(12 * 4, classes),
        )
