import torch


def load_train(n=1200, seed=2019):
    g = torch.Generator().manual_seed(seed)
    cat = torch.randint(0, 12, (n, 3), generator=g)
    num = torch.randn(n, 5, generator=g)
    logit = num[:, 0] - 0.7 * num[:, 1] * num[:, 2] + 0.2 * (cat[:, 0] % 3).float()
    target = (torch.rand(n, generator=g) < torch.sigmoid(logit)).float()
    return cat, num, target


def kfold(n, k, seed):
    g = torch.Generator().manual_seed(seed)
    perm = torch.randperm(n, generator=g)
    folds = perm.chunk(k)
    for i in range(k):
        tr = torch.cat([f for j, f in enumerate(folds) if j != i])
        yield i, tr, folds[i]
