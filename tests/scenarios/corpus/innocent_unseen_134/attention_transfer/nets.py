from torch import nn


class TileNet(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.s1 = nn.Sequential(nn.Conv2d(1, w, 3, padding=1), nn.GroupNorm(2, w), nn.ReLU())
        self.s2 = nn.Sequential(nn.Conv2d(w, w, 3, stride=2, padding=1), nn.ReLU())
        self.fc = nn.Linear(w, 3)

    def forward(self, x):
        return self.fc(self.s2(self.s1(x)).mean((2, 3)))
