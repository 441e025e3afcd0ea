import torch
from torch import nn


class ConvNowcaster(nn.Module):
    def __init__(self, past, future, width):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv2d(past, width, 3, padding=1), nn.SiLU(),
            nn.Conv2d(width, width, 3, padding=2, dilation=2), nn.SiLU(),
        )
        self.head = nn.Conv2d(width + 1, future, 3, padding=1)

    def forward(self, past):
        return torch.sigmoid(self.head(torch.cat([self.enc(past), past[:, -1:]], 1)))


def advecting_blobs(batch, past, future, gen, size=24):
    axis = torch.arange(size, dtype=torch.float32)
    centre = torch.rand(batch, 2, generator=gen) * size
    wind = torch.randn(batch, 2, generator=gen)
    frames = []
    for t in range(past + future):
        pos = centre + t * wind
        dx = (axis[None] - pos[:, :1]) ** 2
        dy = (axis[None] - pos[:, 1:]) ** 2
        frames.append(torch.exp(-(dx[:, None, :] + dy[:, :, None]) / 18.0))
    movie = torch.stack(frames, 1)
    return movie[:, :past], movie[:, past:]
