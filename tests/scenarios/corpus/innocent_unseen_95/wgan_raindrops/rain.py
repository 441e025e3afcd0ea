import torch


def rain_days(n, hours=24):
    t = torch.arange(hours).float()
    start = torch.rand(n, 1) * 18
    length = 2 + 4 * torch.rand(n, 1)
    peak = torch.distributions.Gamma(2.0, 2.0).sample((n, 1))
    shape = ((t - start) / length).clamp(min=0)
    return peak * shape * torch.exp(1 - 2 * shape) + 0.02 * torch.rand(n, hours)
