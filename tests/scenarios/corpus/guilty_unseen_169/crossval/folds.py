import torch


def kfold(n, k):
    parts = torch.randperm(n).chunk(k)
    for i, val in enumerate(parts):
        yield torch.cat([p for j, p in enumerate(parts) if j != i]), val
