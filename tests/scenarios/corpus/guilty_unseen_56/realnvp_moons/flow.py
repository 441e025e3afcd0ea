import math

import torch
import torch.nn as nn

from couplings import ActNorm, AffineCoupling


class Flow(nn.Module):
    def __init__(self, dim=4, depth=4, hidden=32):
        super().__init__()
        blocks = []
        for i in range(depth):
            blocks += [ActNorm(dim)] if i == 0 else []
            blocks.append(AffineCoupling(dim, hidden, flip=bool(i % 2)))
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x):
        logdet = torch.zeros(len(x))
        for b in self.blocks:
            x, ld = b(x)
            logdet = logdet + ld
        return x, logdet

    def nll(self, x):
        z, logdet = self(x)
        prior = -0.5 * (z.pow(2) + math.log(2 * math.pi)).sum(-1)
        return -(prior + logdet).mean()
