import torch
from torch import nn
from torch.nn import functional as F

from engine import RegistrationEngine


class AffineEngine(RegistrationEngine):
    """Rotation, log-scale and shift shared by all slices of a volume."""

    def __init__(self, lr=0.01, iterations=80):
        super().__init__(lr, iterations)
        self.angle = nn.Parameter(torch.zeros(()))
        self.log_scale = nn.Parameter(torch.zeros(()))
        self.shift = nn.Parameter(torch.zeros(2))

    def parameters(self):
        return [self.angle, self.log_scale, self.shift]

    def matrix(self):
        scale = self.log_scale.exp()
        cos, sin = (self.angle * 1.0).cos(), (self.angle * 1.0).sin()
        top = torch.stack([scale * cos, -scale * sin, self.shift[0]])
        bottom = torch.stack([scale * sin, scale * cos, self.shift[1]])
        return torch.stack([top, bottom])

    def warp(self, moving):
        theta = self.matrix().expand(moving.shape[0], 2, 3)
        grid = F.affine_grid(theta, list(moving.shape), align_corners=False)
        return F.grid_sample(moving, grid, padding_mode="border", align_corners=False)

    def dissimilarity(self, fixed, moving):
        return F.mse_loss(self.warp(moving), fixed)
