import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, z, h=24):
        super().__init__()
        self.rnn = nn.GRU(z, h, batch_first=True)
        self.out = nn.Linear(h, 1)

    def forward(self, z):
        h, _ = self.rnn(z)
        return torch.tanh(self.out(h))


class Critic(nn.Module):
    def __init__(self, c=16):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, c, 3, padding=1), nn.LeakyReLU(0.2), nn.Conv1d(c, c, 3, stride=2, padding=1), nn.LeakyReLU(0.2)
        )
        self.head = nn.Linear(c, 1)

    def forward(self, x):
        return self.head(self.conv(x.transpose(1, 2)).mean(-1)).squeeze(-1)
