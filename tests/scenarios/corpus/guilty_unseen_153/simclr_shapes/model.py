import torch
import torch.nn as nn
import torch.nn.functional as F

from .tracking import tracked


class Encoder(nn.Module):
    def __init__(self, d_in=24, d=32, d_proj=16):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(d_in, 64), nn.BatchNorm1d(64), nn.ReLU(), nn.Linear(64, d), nn.ReLU())
        self.proj = nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d_proj))

    def forward(self, x):
        return F.normalize(self.proj(self.backbone(x)), dim=1)


def nt_xent(za, zb, temp=0.2):
    z = torch.cat([za, zb])
    n = za.shape[0]
    sim = z @ z.t() / temp
    sim = sim.masked_fill(torch.eye(2 * n, dtype=torch.bool), float("-inf"))
    target = torch.cat([torch.arange(n, 2 * n), torch.arange(n)])
    return F.cross_entropy(sim, target)


@tracked
def uniformity(z, t=2.0):
    return torch.pdist(z).pow(2).mul(-t).exp().mean().log()


@tracked
@torch.no_grad()
def alignment(za, zb):
    return (za - zb).pow(2).sum(1).mean().item()
