from torch import nn

from .registry import plugin


@plugin("spectral-trunk")
class Trunk(nn.Module):
    def __init__(self, bands, width):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(1, width, 3, padding=1), nn.GELU(), nn.AvgPool1d(2), nn.Flatten(),
                                 nn.Linear(width * (bands // 2), width), nn.GELU())

    def forward(self, x):
        return self.net(x.unsqueeze(1))


@plugin("yield-head")
class YieldHead(nn.Linear):
    def __init__(self, width):
        super().__init__(width, 1)


@plugin("species-head")
class SpeciesHead(nn.Linear):
    def __init__(self, width, species):
        super().__init__(width, species)
