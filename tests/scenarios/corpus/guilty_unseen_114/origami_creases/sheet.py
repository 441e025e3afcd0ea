import torch
from torch import nn


def rotate_about(points, origin, axis, angle):
    """Rodrigues rotation of points about a line."""
    axis = axis / axis.norm()
    v = points - origin
    cos, sin = torch.cos(angle), torch.sin(angle)
    along = (v @ axis)[:, None] * axis
    cross = torch.linalg.cross(axis.expand_as(v), v)
    return origin + v * cos + cross * sin + along * (1 - cos)


class Sheet(nn.Module):
    def __init__(self, n_creases):
        super().__init__()
        self.angles = nn.Parameter(0.05 * torch.randn(n_creases))
        self.log_stiff = nn.Parameter(torch.zeros(n_creases))
        theta = torch.arange(n_creases) * 3.14159 / n_creases
        self.register_buffer("axes", torch.stack([theta.cos(), theta.sin(), torch.zeros(n_creases)], 1))
        self.register_buffer("corners", torch.tensor([[0., 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]))
        self.register_buffer("centre", torch.tensor([0.5, 0.5, 0.0]))

    def forward(self):
        pts = self.corners
        for angle, axis in zip(self.angles, self.axes):
            normal = torch.stack([-axis[1], axis[0], axis[2]])
            side = torch.sigmoid(8 * ((self.corners - self.centre) @ normal))[:, None]
            turned = rotate_about(pts, self.centre, axis, angle)
            pts = side * turned + (1 - side) * pts
        return pts

    def bending(self):
        return torch.nn.functional.softplus(self.log_stiff) * self.angles ** 2
