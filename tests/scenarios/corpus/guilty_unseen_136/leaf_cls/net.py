import torch.nn as nn


class LeafNet(nn.Module):
    def __init__(self, n_classes):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 6, 3, stride=2, padding=1), nn.BatchNorm2d(6), nn.ReLU(inplace=True),
            nn.Conv2d(6, 10, 3, stride=2, padding=1), nn.BatchNorm2d(10), nn.ReLU(inplace=True),
            nn.AdaptiveAvgPool2d(1))
        self.fc = nn.Linear(10, n_classes)

    def forward(self, x):
        return self.fc(self.features(x).flatten(1))
