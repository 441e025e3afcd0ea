import torch
from torch import nn


class Recogniser(nn.Module):
    def __init__(self, channels, cells, gestures):
        super().__init__()
        self.mix = nn.Linear(channels + cells, cells)
        self.forget = nn.Linear(channels + cells, cells)
        self.read = nn.Linear(cells, gestures)
        self.register_buffer("memory", torch.zeros(1, cells), persistent=False)

    def observe(self, frame):
        both = torch.cat([frame, self.memory], dim=-1)
        keep = torch.sigmoid(self.forget(both))
        self.memory = keep * self.memory + (1 - keep) * torch.tanh(self.mix(both))  # <- culprit
        return self.read(self.memory)
