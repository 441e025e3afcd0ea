import torch.nn as nn


def block(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, stride=2, padding=1, bias=False),
        nn.BatchNorm2d(cout),
        nn.ReLU(),
    )


class TextureNet(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.stem = block(1, width)
        self.body = block(width, 2 * width)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.head = nn.Linear(2 * width, classes)

    def forward(self, x):
        x = self.body(self.stem(x))
        return self.head(self.pool(x).flatten(1))
