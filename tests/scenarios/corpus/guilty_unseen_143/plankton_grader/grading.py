import torch
from torch import nn

GRADES = 4


class OrdinalNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(9, 16), nn.ReLU(), nn.Dropout(0.05), nn.Linear(16, 1))
        self.cuts = nn.Parameter(torch.linspace(-1, 1, GRADES - 1))

    def forward(self, x):
        return self.cuts - self.trunk(x)


def haul(n):
    g = torch.randint(0, GRADES, (n,))
    x = torch.randn(n, 9) + (g.float() - 1.5).unsqueeze(1)
    return x, g


def ordinal_loss(logit, g):
    below = (g.unsqueeze(1) <= torch.arange(GRADES - 1)).float()
    return nn.functional.binary_cross_entropy_with_logits(logit, below)
