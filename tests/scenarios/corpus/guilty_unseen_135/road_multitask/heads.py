import torch.nn.functional as F
from torch import nn


class RoadNet(nn.Module):
    def __init__(self, c=6):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(3, c, 3, padding=1), nn.LeakyReLU(0.1), nn.Conv2d(c, c, 3, padding=1), nn.LeakyReLU(0.1))
        self.depth = nn.Conv2d(c, 1, 1)
        self.seg = nn.Conv2d(c, 3, 1)
        self.steer = nn.Linear(c, 1)

    def losses(self, batch):
        f = self.trunk(batch["image"])
        return {
            "depth": F.l1_loss(self.depth(f).squeeze(1), batch["depth"]),
            "seg": F.cross_entropy(self.seg(f), batch["seg"]),
            "steer": F.smooth_l1_loss(self.steer(f.mean((2, 3))).squeeze(1), batch["steer"]),
        }
