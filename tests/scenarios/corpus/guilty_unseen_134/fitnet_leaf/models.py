from torch import nn


class LeafNet(nn.Module):
    def __init__(self, width, classes):
        super().__init__()
        self.early = nn.Sequential(nn.Conv2d(3, width, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2))
        self.mid = nn.Sequential(nn.Conv2d(width, width * 2, 3, padding=1), nn.ReLU())
        self.late = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width * 2, classes))

    def forward(self, x):
        return self.late(self.mid(self.early(x)))
