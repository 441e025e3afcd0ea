"""Frame-level convolutional encoder with attentive pooling."""
import torch
from torch import nn


class FrameEncoder(nn.Module):
    def __init__(self, mels, width):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(mels, width, 5, padding=2), nn.GELU(),
            nn.Conv1d(width, width, 5, padding=2), nn.GELU(),
        )
        self.score = nn.Conv1d(width, 1, 1)

    def forward(self, mel):
        h = self.conv(mel.transpose(1, 2))
        w = torch.softmax(self.score(h), dim=-1)
        return (h * w).sum(-1)
