import torch
from torch import nn


class FrameEncoder(nn.Module):
    def __init__(self, bands, dim):
        super().__init__()
        self.lift = nn.Linear(bands, 32)
        self.out = nn.Linear(32, dim)

    def forward(self, clip):
        frames = torch.tanh(self.lift(clip))
        return self.out(frames.mean(dim=1))
