import torch


def loans(n):
    x = torch.randn(n, 8)
    default = (x[:, 0] - x[:, 1] + 0.5 * torch.randn(n) > 0.8).float()
    prepay = (x[:, 2] * x[:, 3] + 0.3 * torch.randn(n) > 0.5).float()
    lgd = torch.sigmoid(x[:, 4] + 0.5 * x[:, 0])
    return x, default, prepay, lgd
