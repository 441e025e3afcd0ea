import torch


def transactions(n_batches, size, seed, n_merchants=40):
    g = torch.Generator().manual_seed(seed)
    risk = torch.linspace(-2, 2, n_merchants)
    for b in range(n_batches):
        merchant = torch.randint(n_merchants, (size,), generator=g)
        x = torch.randn(size, 6, generator=g)
        z = risk[merchant] + 1.5 * x[:, 0] * x[:, 1] - 2.5
        fraud = (torch.rand(size, generator=g) < z.sigmoid()).float()
        yield {"merchant": merchant, "numeric": x, "fraud": fraud,
               "txn": torch.arange(size) + (seed * n_batches + b) * size}
