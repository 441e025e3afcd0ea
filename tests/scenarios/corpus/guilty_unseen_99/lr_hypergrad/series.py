import math

import torch


def weekly_demand(n_days):
    t = torch.arange(n_days, dtype=torch.float32)
    season = torch.sin(2 * math.pi * t / 7) + 0.4 * torch.cos(2 * math.pi * t / 30)
    trend = 0.0005 * t
    return season + trend + 0.15 * torch.randn(n_days)


def windows(series, width):
    x = series.unfold(0, width, 1)[:-1]
    y = series[width:].unsqueeze(1)
    return x.contiguous(), y.contiguous()
