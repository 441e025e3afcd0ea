import torch.nn as nn
import torch.nn.functional as F


class LeafNet(nn.Module):
    def __init__(self, n_species):
        super().__init__()
        self.block1 = nn.Sequential(nn.Conv2d(3, 6, 3), nn.BatchNorm2d(6), nn.ReLU())
        self.block2 = nn.Sequential(nn.Conv2d(6, 8, 3, stride=2), nn.ReLU())
        self.cls = nn.Linear(8, n_species)

    def forward(self, x):
        x = self.block2(self.block1(x))
        return self.cls(F.adaptive_avg_pool2d(x, 1).flatten(1))
