import torch.nn as nn


class EEGEncoder(nn.Module):
    """Temporal then spatial convolution, log-power."""

    def __init__(self, channels, maps=8, dim=32):
        super().__init__()
        self.temporal = nn.Conv2d(1, maps, (1, 15), padding=(0, 7), bias=False)
        self.spatial = nn.Conv2d(maps, dim, (channels, 1), groups=maps, bias=False)
        self.norm = nn.BatchNorm2d(dim)

    def forward(self, x):
        h = self.norm(self.spatial(self.temporal(x.unsqueeze(1))))
        return h.pow(2).mean((2, 3)).clamp(min=1e-6).log()


class LabelHead(nn.Sequential):
    def __init__(self, dim=32):
        super().__init__(nn.Dropout(0.25), nn.Linear(dim, 2))


class DomainCritic(nn.Sequential):
    def __init__(self, dim=32):
        super().__init__(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, 1))
