from torch import nn
from decode import heatmaps_to_points


class HandPose(nn.Module):
    def __init__(self, joints):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(1, 8, 3, padding=1), nn.GELU())
        self.heat = nn.Conv2d(8, joints, 1)

    def forward(self, img):
        return heatmaps_to_points(self.heat(self.stem(img)))
