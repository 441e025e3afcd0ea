# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
"""iNeRF in miniature: recover a camera yaw and shift against a frozen radiance field."""
import math

import torch

torch.set_num_threads(1)
torch.manual_seed(12)


class FrozenField(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(3, 24), torch.nn.Softplus(), torch.nn.Linear(24, 4))
        self.requires_grad_(False)

    def forward(self, p):
        out = self.net(p)
        return torch.nn.functional.softplus(out[..., :1]), torch.sigmoid(out[..., 1:])


def rotation_z(yaw):
    c, s = math.cos(yaw), math.sin(yaw)
    return torch.tensor([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])  # <- culprit


class Camera(torch.nn.Module):
    def __init__(self, yaw=0.0, depth=-2.0):
        super().__init__()
        self.yaw = torch.nn.Parameter(torch.tensor(yaw))
        self.register_buffer("centre", torch.tensor([depth, 0.0, 0.0]))

    def rays(self, n=5):
        g = torch.linspace(-0.4, 0.4, n)
        dirs = torch.stack(torch.meshgrid(torch.ones(1), g, g, indexing="ij"), -1).reshape(-1, 3)
        R = rotation_z(self.yaw)
        return self.centre @ R.T, dirs @ R.T


def shoot(field, origin, dirs, ts=torch.linspace(0.5, 3.0, 7)):
    sigma, rgb = field(origin + dirs[:, None] * ts[:, None])
    alpha = 1 - torch.exp(-sigma * 0.4)
    survive = torch.cumprod(torch.cat([torch.ones_like(alpha[:, :1]), 1 - alpha[:, :-1]], 1), 1)
    return (alpha * survive * rgb).sum(1)


field = FrozenField()
with torch.no_grad():
    photo = shoot(field, *Camera(yaw=0.35).rays())

camera = Camera()
optim = torch.optim.Adam(camera.parameters(), lr=0.01)
for i in range(300):
    optim.zero_grad()
    err = (shoot(field, *camera.rays()) - photo).pow(2).mean()
    err.backward()
    optim.step()
    if i % 50 == 0:
        print(i, err.item(), camera.yaw.item())
