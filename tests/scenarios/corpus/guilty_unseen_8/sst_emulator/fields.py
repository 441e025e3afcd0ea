import math

import torch


class OceanBox:
    """Advects smooth random temperature fields eastward with a weak restoring to climatology."""

    def __init__(self, nlat, nlon):
        self.nlat, self.nlon = nlat, nlon
        self.lat = torch.linspace(-60, 60, nlat) * math.pi / 180
        self.clim = torch.cos(self.lat)[:, None].expand(nlat, nlon)

    def area_weights(self):
        w = torch.cos(self.lat)[:, None]
        return w / w.mean()

    def sample(self, n):
        coarse = torch.randn(n, 1, 4, 6)
        field = torch.nn.functional.interpolate(coarse, (self.nlat, self.nlon), mode="bilinear", align_corners=False) + self.clim
        moved = 0.6 * field + 0.4 * torch.roll(field, 1, -1)
        nxt = moved + 0.1 * (self.clim - moved) + 0.02 * torch.randn_like(field)
        return field, nxt
