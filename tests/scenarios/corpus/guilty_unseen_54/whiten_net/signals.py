import math

import torch


def iq_bursts(n, length=16, snr=4.0):
    y = torch.randint(0, 3, (n,))
    order = torch.tensor([2, 4, 8])[y]
    sym = torch.floor(torch.rand(n, length) * order[:, None])
    phase = 2 * math.pi * sym / order[:, None] + 0.1 * torch.randn(n, 1)
    iq = torch.cat([phase.cos(), phase.sin(), (2 * phase).cos(), (4 * phase).cos()], 1)
    return iq + torch.randn_like(iq) / snr, y
