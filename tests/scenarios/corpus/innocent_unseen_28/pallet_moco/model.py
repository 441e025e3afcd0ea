import torch.nn as nn
import torch.nn.functional as F


class GrainNet(nn.Module):
    def __init__(self, dim=32):
        super(GrainNet, self).__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 12, 3, stride=2, padding=1), nn.BatchNorm2d(12), nn.ReLU(),
            nn.Conv2d(12, 24, 3, stride=2, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
        )
        self.fc = nn.Linear(24 * 16, dim)

    def forward(self, x):
        return F.normalize(self.fc(self.conv(x).flatten(1)), dim=1)
