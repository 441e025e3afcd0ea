import torch


def make_populations(count, features):
    shared = torch.randn(features)
    out = []
    for _ in range(count):
        shift = 0.5 * torch.randn(features)
        w = shared + 0.4 * torch.randn(features)
        x = torch.randn(240, features) + shift
        y = torch.bernoulli(torch.sigmoid(x @ w))
        out.append((x, y))
    return out
