import torch.nn as nn


def block(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(inplace=True))


class TinySeg(nn.Module):
    """Encoder/decoder with an auxiliary head on the encoder, PSPNet style."""

    def __init__(self, n_classes=4, width=8):
        super().__init__()
        self.enc = nn.Sequential(block(3, width), nn.MaxPool2d(2), block(width, width * 2))
        self.dec = nn.Sequential(nn.Upsample(scale_factor=2), block(width * 2, width))
        self.head = nn.Conv2d(width, n_classes, 1)
        self.aux = nn.Sequential(nn.Conv2d(width * 2, n_classes, 1), nn.Upsample(scale_factor=2))

    def forward(self, x):
        z = self.enc(x)
        return self.head(self.dec(z)), self.aux(z)
