import torch
from torch import nn


class Nowcast(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(3, ch, 3, padding=1), nn.ReLU(),
                                 nn.Conv2d(ch, ch, 3, padding=1), nn.ReLU())
        self.rain = nn.Conv2d(ch, 1, 1)
        self.log_scale = nn.Conv2d(ch, 1, 1)

    def forward(self, x):
        z = self.enc(x)
        return self.rain(z), self.log_scale(z).clamp(-4, 4)


def radar(n, storm_from, size=14):
    for k in range(n):
        base = torch.rand(4, 4, size, size)
        if k >= storm_from and k % 3 == 0:
            base[:, :, 4:8, 4:8] += 3.5
        yield base[:, :3], base[:, 3:]
