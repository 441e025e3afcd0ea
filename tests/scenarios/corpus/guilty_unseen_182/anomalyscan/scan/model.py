import torch.nn as nn


class WindowAE(nn.Module):
    def __init__(self, length, code):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(length, 32), nn.Tanh(), nn.Linear(32, code))
        self.dec = nn.Sequential(nn.Linear(code, 32), nn.Tanh(), nn.Linear(32, length))

    def forward(self, x):
        return self.dec(self.enc(x))

    def score(self, x):
        return (self(x) - x).pow(2).mean(1)
