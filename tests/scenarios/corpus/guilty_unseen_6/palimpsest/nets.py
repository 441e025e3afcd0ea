import torch
from torch import nn

from memo import once_per


def block(cin, cout, stride=1):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, stride, 1), nn.BatchNorm2d(cout), nn.ReLU())


class Teacher(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.trunk = nn.Sequential(block(3, 12), block(12, 16, 2), block(16, 16), nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.head = nn.Linear(16, classes)

    def load(self, signal):
        """Stand-in for the checkpoint: the statistics of the trunk are set from a few plates."""
        with torch.no_grad():
            for plate in signal:
                self.trunk(plate)
        return self.eval()

    @once_per("index")  # <- culprit
    def soft_scores(self, batch):
        return self.head(self.trunk(batch.pixels))  # <- culprit


class Student(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(block(3, 8, 2), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(32, classes))

    def forward(self, pixels):
        return self.body(pixels)
