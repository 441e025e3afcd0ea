import torch


def churn_table(n):
    num = torch.randn(n, 7)
    cat = torch.stack([torch.randint(0, k, (n,)) for k in (6, 4, 12)], 1)
    effect = torch.randn(6)[cat[:, 0]] + torch.randn(4)[cat[:, 1]]
    logit = num[:, 0] - 0.8 * num[:, 1] * num[:, 2] + effect - 0.5
    y = torch.bernoulli(torch.sigmoid(logit))
    return num, cat, y
