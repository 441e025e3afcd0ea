import torch.nn as nn


class GlyphNet(nn.Module):
    def __init__(self, size, classes, width=48):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Flatten(), nn.Linear(size * size, width), nn.SiLU(),
            nn.Linear(width, width), nn.SiLU(),
        )
        self.cls = nn.Linear(width, classes)
        self.rot = nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.cls(h), self.rot(h).squeeze(-1)
