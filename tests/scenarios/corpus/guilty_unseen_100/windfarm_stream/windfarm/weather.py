import torch


def gusts(turbines, n_feat, steps):
    proj = torch.randn(1, n_feat) * 0.7
    wind = torch.zeros(turbines, 1)
    lagged = wind.clone()
    for _ in range(steps):
        wind = 0.85 * wind + 0.4 * torch.randn(turbines, 1)
        x = wind @ proj + 0.1 * torch.randn(turbines, n_feat)
        lagged = 0.7 * lagged + 0.3 * wind
        yield x, torch.sigmoid(2 * lagged).squeeze(-1)
