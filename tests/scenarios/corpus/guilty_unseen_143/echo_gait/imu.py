import math

import torch


def stream(n, rate=0.12):
    mix = torch.randn(6, 2)
    for t in range(n):
        ph = torch.tensor([math.sin(rate * t), math.cos(rate * t)])
        yield mix @ ph + 0.05 * torch.randn(6), ph
