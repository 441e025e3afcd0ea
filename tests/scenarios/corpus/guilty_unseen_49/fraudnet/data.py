import torch


def transactions(n_batches, batch, n_features):
    gen = torch.Generator().manual_seed(5)
    w = torch.randn(n_features, generator=gen)
    for _ in range(n_batches):
        x = torch.randn(batch, n_features, generator=gen)
        fraud = (torch.sigmoid(x @ w - 1.5) > torch.rand(batch, generator=gen)).float()
        yield x, fraud
