import torch.nn as nn


def conv_block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1, bias=False),
                         nn.BatchNorm2d(cout), nn.ReLU(inplace=True), nn.MaxPool2d(2))


class SmallCNN(nn.Module):
    def __init__(self, width=8, classes=10):
        super().__init__()
        self.body = nn.Sequential(conv_block(1, width), conv_block(width, 2 * width))
        self.head = nn.Linear(2 * width * 16, classes)

    def forward(self, x):
        return self.head(self.body(x).flatten(1))
