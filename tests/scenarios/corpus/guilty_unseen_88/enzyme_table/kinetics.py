import torch
from torch import nn
import torch.nn.functional as F


class RateNet(nn.Module):
    def __init__(self, h=10):
        super().__init__()
        self.a = nn.Linear(2, h)
        self.b = nn.Linear(h, 3)

    def forward(self, cond):
        out = F.softplus(self.b(torch.tanh(self.a(cond)))) + 0.05
        return out.split(1, dim=1)


def velocity(S, inhib, vmax, km, ki):
    return vmax * S / (km * (1 + inhib / ki) + S)
