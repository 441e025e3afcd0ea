import torch.nn as nn
import torch.nn.functional as F


class CompactEEG(nn.Module):
    def __init__(self, channels=8, f1=6, depth=2, n_classes=2):
        super().__init__()
        self.temporal = nn.Conv2d(1, f1, (1, 15), padding=(0, 7), bias=False)
        self.bn1 = nn.BatchNorm2d(f1)
        self.spatial = nn.Conv2d(f1, f1 * depth, (channels, 1), groups=f1, bias=False)
        self.bn2 = nn.BatchNorm2d(f1 * depth)
        self.fc = nn.Linear(f1 * depth * 12, n_classes)
        self.drop = nn.Dropout(0.25)

    def forward(self, x):
        h = self.bn1(self.temporal(x))
        h = F.elu(self.bn2(self.spatial(h)))
        h = F.avg_pool2d(h, (1, 8))
        return self.fc(self.drop(h.flatten(1)))
