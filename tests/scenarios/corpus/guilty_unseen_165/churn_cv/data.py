import torch


def churn_table(n=1200, cols=12):
    x = torch.randn(n, cols)
    score = x[:, 0] - 0.7 * x[:, 1] + 0.5 * x[:, 2] * x[:, 3]
    y = (score + 0.3 * torch.randn(n) > 0).float()
    return x, y


def iterate(x, y, size, shuffle):
    order = torch.randperm(len(x)) if shuffle else torch.arange(len(x))
    for idx in order.split(size):
        yield x[idx], y[idx]
