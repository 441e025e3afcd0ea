import torch.nn as nn


class SmallMLP(nn.Module):
    def __init__(self, i, h, o):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(i, h), nn.GELU(), nn.Linear(h, h), nn.GELU())
        self.cls = nn.Linear(h, o)

    def forward(self, x):
        return self.cls(self.body(x))
