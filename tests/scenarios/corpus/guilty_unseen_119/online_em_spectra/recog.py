import torch.nn as nn


class Recogniser(nn.Module):
    def __init__(self, d, k, h=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, k))

    def forward(self, x):
        return self.body(x)
