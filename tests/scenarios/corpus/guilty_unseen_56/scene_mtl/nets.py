import torch.nn as nn


class Trunk(nn.Module):
    def __init__(self, cin=3, width=16):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(cin, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, width, 3, padding=1, stride=2), nn.ReLU(),
        )

    def forward(self, x):
        return self.body(x)


class SceneNet(nn.Module):
    """One trunk, one light head per task."""

    def __init__(self, width=16, n_classes=5):
        super().__init__()
        self.trunk = Trunk(width=width)
        self.heads = nn.ModuleDict({
            "seg": nn.Conv2d(width, n_classes, 1),
            "depth": nn.Conv2d(width, 1, 1),
            "normal": nn.Conv2d(width, 3, 1),
        })
