import torch.nn.functional as F
from torch import nn


class PerceptionNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2), nn.ReLU(), nn.Conv2d(8, 16, 3, stride=2), nn.ReLU(), nn.Flatten(),
            nn.Linear(144, 32), nn.ReLU(),
        )
        self.grasp, self.depth, self.slip = nn.Linear(32, 2), nn.Linear(32, 1), nn.Linear(32, 1)

    def losses(self, image, centre, depth, slip):
        z = self.trunk(image)
        return {
            "grasp": F.smooth_l1_loss(self.grasp(z), centre),
            "depth": F.mse_loss(self.depth(z).squeeze(1), depth),
            "slip": F.binary_cross_entropy_with_logits(self.slip(z).squeeze(1), slip),
        }
