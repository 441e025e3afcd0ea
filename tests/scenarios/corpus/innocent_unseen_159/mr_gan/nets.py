import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, z=6, size=8):
        super().__init__()
        self.z, self.size = z, size
        self.net = nn.Sequential(nn.Linear(z, 48), nn.LeakyReLU(0.2), nn.Linear(48, size * size), nn.Sigmoid())

    def sample(self, n):
        return self.net(torch.randn(n, self.z)).view(n, self.size, self.size)


class Critic(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(1, ch, 3, stride=2, padding=1), nn.Softplus(),
                                 nn.Flatten(), nn.Linear(ch * 16, 1))

    def forward(self, x):
        return self.net(x.unsqueeze(1)).squeeze(1)
