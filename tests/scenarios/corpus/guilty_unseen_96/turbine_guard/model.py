import torch
from torch import nn


class SpectrumAE(nn.Module):
    def __init__(self, bins, code):
        super().__init__()
        self.down = nn.Linear(bins, code)
        self.up = nn.Linear(code, bins)

    def forward(self, x):
        return self.up(torch.tanh(self.down(x)))
