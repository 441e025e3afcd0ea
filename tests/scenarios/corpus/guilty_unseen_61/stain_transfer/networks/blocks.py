"""Small convolutional translator and patch critic."""
from torch import nn


def conv(cin, cout, stride=1, act=True):
    layers = [nn.Conv2d(cin, cout, 3, stride, 1)]
    if act:
        layers += [nn.InstanceNorm2d(cout), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers)


class Translator(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.down = conv(3, width, 2)
        self.mid = nn.Sequential(conv(width, width), conv(width, width))
        self.up = nn.Sequential(nn.Upsample(scale_factor=2), conv(width, 3, act=False), nn.Tanh())

    def forward(self, x):
        h = self.down(x)
        return self.up(h + self.mid(h))


class PatchCritic(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.body = nn.Sequential(conv(3, width, 2), conv(width, 2 * width, 2), conv(2 * width, 1, act=False))

    def forward(self, x):
        return self.body(x)
