import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, n_in, n_out, hidden=48):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, hidden), nn.BatchNorm1d(hidden), nn.ReLU(),
                                  nn.Linear(hidden, n_out))

    def forward(self, x):
        return F.normalize(self.body(x), dim=1)


def uniformity(z, t=2.0):
    d = torch.pdist(z).pow(2)
    return d.mul(-t).exp().mean().log()
