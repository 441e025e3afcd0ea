import torch


def walk(n_assets, n_feat, days, seed=33):
    g = torch.Generator().manual_seed(seed)
    mix = torch.randn(n_feat, generator=g) / n_feat ** 0.5
    for _ in range(days):
        f = torch.randn(n_assets, n_feat, generator=g)
        yield f, 0.02 * (f @ mix) + 0.01 * torch.randn(n_assets, generator=g)
