import torch
from torch import nn


class DepthNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.down = nn.Conv2d(3, c, 3, stride=2, padding=1)
        self.mid = nn.Conv2d(c, c, 3, padding=1)
        self.up = nn.ConvTranspose2d(c, 1, 2, stride=2)

    def forward(self, rgb):
        f = torch.relu(self.down(rgb))
        return nn.functional.softplus(self.up(f + torch.relu(self.mid(f)))).squeeze(1)


def scenes(n, g):
    near = torch.rand(n, 1, 1, generator=g) + 0.5
    ramp = torch.linspace(0, 1, 24)[None, :, None].expand(n, 24, 24)
    depth = near + ramp
    shade = torch.stack([1 / depth, ramp, torch.rand(n, 24, 24, generator=g)], 1)
    return shade, depth


def silog(pred, gt):
    d = (pred + 1e-3).log() - gt.log()
    return d.square().mean() - 0.85 * d.mean() ** 2
