import torch
from torch import nn


class SeisEncoder(nn.Module):
    def __init__(self, channels):
        super().__init__()
        torch.manual_seed(4)
        self.down1 = nn.Conv1d(1, channels, 9, stride=2, padding=4)
        self.down2 = nn.Conv1d(channels, channels, 7, stride=2, padding=3)
        self.mix = nn.Conv1d(channels, channels, 5, padding=2)
        self.up = nn.ConvTranspose1d(channels, 1, 8, stride=4, padding=2)

    def forward(self, wave):
        z = torch.nn.functional.gelu(self.down1(wave))
        z = torch.nn.functional.gelu(self.down2(z))
        z = z + torch.nn.functional.gelu(self.mix(z))
        return self.up(z)
