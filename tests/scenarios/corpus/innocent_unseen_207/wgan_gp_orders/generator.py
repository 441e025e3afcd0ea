import copy

import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 8))

    def forward(self, z):
        return self.net(z)


class EmaGenerator:
    def __init__(self, source, decay):
        self.shadow = copy.deepcopy(source)
        self.decay = decay

    def update(self, source):
        with torch.no_grad():
            for slow, fast in zip(self.shadow.parameters(), source.parameters()):
                slow.copy_(self.decay * slow + (1 - self.decay) * fast)

    @torch.no_grad()
    def sample(self, n):
        return self.shadow(torch.randn(n, 6))
