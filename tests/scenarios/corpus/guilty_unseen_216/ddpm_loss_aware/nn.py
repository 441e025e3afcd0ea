import math

import torch
import torch.nn as tnn


def timestep_embedding(t, dim):
    freqs = torch.exp(-math.log(1000) * torch.arange(dim // 2) / (dim // 2))
    a = t[:, None].float() * freqs
    return torch.cat([a.cos(), a.sin()], -1)


class Denoiser(tnn.Module):
    def __init__(self, width=96, emb=32):
        super().__init__()
        self.emb = emb
        self.inp = tnn.Linear(2, width)
        self.time = tnn.Sequential(tnn.Linear(emb, width), tnn.SiLU(), tnn.Linear(width, width))
        self.mid = tnn.ModuleList([tnn.Sequential(tnn.LayerNorm(width), tnn.Linear(width, width), tnn.SiLU()) for _ in range(3)])
        self.out = tnn.Linear(width, 2)

    def forward(self, x, t):
        h = self.inp(x)
        te = self.time(timestep_embedding(t, self.emb))
        for blk in self.mid:
            h = h + blk(h + te)
        return self.out(h)
