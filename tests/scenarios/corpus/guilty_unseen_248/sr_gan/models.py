import torch.nn as nn
import torch.nn.functional as F


class ResBlock(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.conv1 = nn.Conv2d(ch, ch, 3, padding=1)
        self.conv2 = nn.Conv2d(ch, ch, 3, padding=1)
        self.prelu = nn.PReLU()

    def forward(self, x):
        return x + self.conv2(self.prelu(self.conv1(x)))


class Generator(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.head = nn.Conv2d(1, channels, 5, padding=2)
        self.body = nn.Sequential(ResBlock(channels), ResBlock(channels))
        self.up = nn.Conv2d(channels, 4, 3, padding=1)
        self.shuffle = nn.PixelShuffle(2)

    def forward(self, x):
        base = F.interpolate(x, scale_factor=2, mode="bilinear", align_corners=False)
        h = F.relu(self.head(x))
        h = self.body(h)
        return base + self.shuffle(self.up(h))


class Discriminator(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, channels, 3, stride=2, padding=1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(channels, channels * 2, 3, stride=2, padding=1),
            nn.LeakyReLU(0.2),
            nn.Flatten(),
            nn.Linear(channels * 2 * 6 * 6, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(1)
