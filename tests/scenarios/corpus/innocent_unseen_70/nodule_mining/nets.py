from torch import nn


class PatchNet(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, width, 3, padding=1), nn.GroupNorm(2, width), nn.ReLU())
        self.deep = nn.Sequential(nn.Conv2d(width, width, 3, stride=2, padding=1), nn.ReLU())
        self.head = nn.Sequential(nn.Flatten(), nn.Linear(width * 36, 1))

    def forward(self, x):
        return self.head(self.deep(self.stem(x))).squeeze(-1)
