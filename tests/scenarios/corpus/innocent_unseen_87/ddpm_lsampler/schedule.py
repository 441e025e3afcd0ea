import math

import torch


def cosine_alpha_bar(T, s=0.008):
    t = torch.arange(1, T + 1) / T
    f = torch.cos((t + s) / (1 + s) * math.pi / 2) ** 2
    return (f / math.cos(s / (1 + s) * math.pi / 2) ** 2).clamp(1e-4, 0.9999)
