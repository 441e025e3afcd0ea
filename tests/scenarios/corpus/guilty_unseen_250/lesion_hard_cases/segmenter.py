import torch
from torch import nn


class PatchSegmenter(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.down = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1),
            nn.GroupNorm(2, width),
            nn.SiLU(),
        )
        self.middle = nn.Sequential(
            nn.Conv2d(width, width, 3, padding=2, dilation=2),
            nn.SiLU(),
        )
        self.head = nn.Conv2d(2 * width, 1, 1)

    def forward(self, patches):
        shallow = self.down(patches)
        deep = self.middle(shallow)
        return self.head(torch.cat([shallow, deep], dim=1))
