from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class Belief:
    loc: torch.Tensor
    scale: torch.Tensor


class GaussianRegressor(nn.Module):
    def __init__(self, dim, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(dim, width), nn.Tanh())
        self.loc = nn.Linear(width, 1)
        self.raw_scale = nn.Linear(width, 1)

    def forward(self, x):
        h = self.trunk(x)
        scale = F.softplus(self.raw_scale(h)).squeeze(1) + 1e-2
        return Belief(self.loc(h).squeeze(1), scale)


def nll(belief, y):
    z = (y - belief.loc) / belief.scale
    return (0.5 * z.pow(2) + belief.scale.log()).mean()
