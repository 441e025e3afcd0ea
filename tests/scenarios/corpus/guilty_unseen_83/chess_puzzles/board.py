import torch

PIECES = "PNBRQKpnbrqk"


class PuzzleStream:
    """random middlegame-like positions; each batch shares one theme, the way the dump is sorted"""

    themes = ["fork", "pin", "skewer", "backRank", "sacrifice", "zugzwang"]

    def __init__(self, batch):
        self.batch = batch
        self.order = [0, 1, 2, 3, 4, 1, 0, 5, 2, 3]
        self.bias = torch.linspace(-0.5, 0.8, len(self.themes))
        self.worth = torch.tensor([1, 3, 3, 5, 9, 0, -1, -3, -3, -5, -9, 0]) / 9.0

    def next(self, it):
        k = self.order[it % len(self.order)]
        planes = (torch.rand(self.batch, len(PIECES), 8, 8) < 0.03).float()
        material = (planes.sum((2, 3)) * self.worth).sum(1)
        crowd = planes.sum((1, 2, 3)) / 32
        rating = self.bias[k] + 0.3 * torch.tanh(material) + 0.5 * crowd + 0.05 * torch.randn(self.batch)
        return planes, self.themes[k], rating
