import torch.nn as nn


class ConvDenoiser(nn.Module):
    def __init__(self, channels, width=16):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv1d(channels, width, 7, padding=3), nn.GELU(),
                                 nn.Conv1d(width, width, 5, padding=2), nn.GELU())
        self.dec = nn.Conv1d(width, channels, 7, padding=3)

    def forward(self, x):
        return x + self.dec(self.enc(x))
