import torch
import torch.nn as nn
import torch.nn.functional as F


class GlyphGenerator(nn.Module):
    def __init__(self, nz):
        super().__init__()
        self.fc = nn.Linear(nz, 16 * 4 * 4)
        self.conv = nn.Sequential(nn.BatchNorm2d(16), nn.ReLU(), nn.Upsample(scale_factor=2),
                                  nn.Conv2d(16, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))

    def forward(self, z):
        return torch.sigmoid(self.conv(self.fc(z).view(-1, 16, 4, 4)))


class GlyphDiscriminator(nn.Module):
    def __init__(self, pool=False):
        super().__init__()
        self.pool = pool
        self.c1 = nn.Conv2d(1, 12, 3, padding=1, stride=1 if pool else 2)
        self.fc = nn.Linear(12 * 4 * 4, 1)

    def forward(self, x):
        if self.pool:
            x = F.avg_pool2d(x, 2)
        return self.fc(F.leaky_relu(self.c1(x), 0.2).flatten(1))


def hinge_d(real, fake):
    return F.relu(1 - real).mean() + F.relu(1 + fake).mean()


def hinge_g(fake):
    return -fake.mean()
