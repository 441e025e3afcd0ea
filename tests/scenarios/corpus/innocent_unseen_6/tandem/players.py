import torch
from torch import nn


class Forger(nn.Sequential):
    def __init__(self, noise, length):
        super().__init__(nn.Linear(noise, 48), nn.LeakyReLU(0.2), nn.Linear(48, 48), nn.LeakyReLU(0.2), nn.Linear(48, length), nn.Tanh())


class Critic(nn.Module):
    width = 32

    def __init__(self, length):
        super().__init__()
        self.low = nn.Sequential(nn.Linear(length, 48), nn.LeakyReLU(0.2), nn.Linear(48, self.width), nn.LeakyReLU(0.2))
        self.top = nn.Linear(self.width, 1)

    def forward(self, wave):
        feats = self.low(wave)
        return self.top(feats).squeeze(-1), feats
