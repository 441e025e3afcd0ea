import torch.nn as nn


class SharedTrunk(nn.Module):
    def __init__(self, n_in, width):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.Tanh())
        self.demand = nn.Linear(width, 1)
        self.air = nn.Linear(width, 3)
        self.noise = nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        return {"demand": self.demand(h).squeeze(1), "air": self.air(h), "noise": self.noise(h).squeeze(1)}
