import torch.nn as nn

from .layers import SNLinear


class LipschitzCritic(nn.Module):
    def __init__(self, d_in=2, width=32):
        super().__init__()
        self.net = nn.Sequential(
            SNLinear(d_in, width), nn.LeakyReLU(0.1),
            SNLinear(width, width), nn.LeakyReLU(0.1),
            SNLinear(width, 1),
        )

    def forward(self, x):
        return self.net(x).squeeze(-1)
