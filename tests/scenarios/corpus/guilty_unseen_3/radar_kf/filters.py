from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Belief:
    plane: int
    mean: torch.Tensor
    var: torch.Tensor


class NoiseModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_q = nn.Parameter(torch.tensor(0.0))
        self.log_r = nn.Parameter(torch.tensor(0.5))

    def forward(self):
        return self.log_q.exp(), self.log_r.exp()


def assimilate(belief, echo, q, r):
    var = belief.var + q
    gain = var / (var + r)
    gap = echo - belief.mean
    nll = 0.5 * (gap ** 2 / (var + r) + (var + r).log())
    return Belief(belief.plane, belief.mean + gain * gap, (1 - gain) * var), nll
