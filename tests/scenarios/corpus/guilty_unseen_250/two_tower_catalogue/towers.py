import torch.nn.functional as F
from torch import nn


class ItemTower(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(options.audio_dim, 48),
            nn.ReLU(),
            nn.Linear(48, options.embed),
        )

    def forward(self, features):
        return F.normalize(self.layers(features), dim=-1)


class ListenerTower(nn.Module):
    def __init__(self, options):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(options.listener_dim, 48),
            nn.ReLU(),
            nn.Linear(48, options.embed),
        )

    def forward(self, listeners):
        return F.normalize(self.layers(listeners), dim=-1)
