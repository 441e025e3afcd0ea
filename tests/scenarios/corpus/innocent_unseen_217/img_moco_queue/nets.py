from torch import nn
import torch.nn.functional as F


class SmallConv(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.f = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1), nn.ReLU(inplace=True),
                               nn.Conv2d(16, 32, 3, 2, 1), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(2), nn.Flatten())
        self.proj = nn.Linear(128, dim)

    def forward(self, x):
        return F.normalize(self.proj(self.f(x)), dim=-1)
