import torch
from torch import nn


class Picker(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(3, 6, 7, padding=3), nn.ReLU(),
            nn.Conv1d(6, 6, 7, padding=3), nn.ReLU(),
            nn.Conv1d(6, 1, 1),
        )
        self.register_buffer("axis", torch.arange(64, dtype=torch.float32))

    def forward(self, wave):
        w = self.body(wave).squeeze(1).softmax(-1)
        return w, (w * self.axis).sum(-1)
