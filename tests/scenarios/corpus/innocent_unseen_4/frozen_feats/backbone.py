import torch
from torch import nn


class Backbone(nn.Module):
    """Stand-in for a pretrained trunk; its output per photo is memoised."""

    def __init__(self, dim=512):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(3, 16, 5, stride=3), nn.ReLU(), nn.AdaptiveAvgPool2d(6), nn.Flatten(), nn.Linear(576, dim))
        self.memo = {}

    def lookup(self, photo_id, load):
        if photo_id not in self.memo:
            with torch.no_grad():
                self.memo[photo_id] = self.trunk(load(photo_id)[None])[0]
        return self.memo[photo_id]
