import torch
from torch import nn
import torch.nn.functional as F


class Encoder(nn.Sequential):
    def __init__(self, d_in, width=32):
        super().__init__(nn.Linear(d_in, width), nn.BatchNorm1d(width), nn.ReLU(), nn.Linear(width, width))


class Projector(nn.Sequential):
    def __init__(self, width=32, d_out=16):
        super().__init__(nn.ReLU(), nn.Linear(width, d_out))


def nt_xent(a, b, t=0.3):
    z = F.normalize(torch.cat([a, b]), dim=-1)
    sim = z @ z.T / t
    sim = sim.masked_fill(torch.eye(len(z), dtype=torch.bool), -1e9)
    n = len(a)
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, target)
