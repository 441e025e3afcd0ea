import torch


def ultrasonic_batches(n, seed):
    """Echo signatures of pipe-wall pits; some scans have sensor dropouts."""
    g = torch.Generator().manual_seed(seed)
    w = torch.randn(20, generator=g) / 4
    for _ in range(n):
        x = torch.randn(16, 20, generator=g)
        y = torch.relu(x @ w) + 0.05 * torch.randn(16, generator=g)
        if torch.rand((), generator=g) < 0.3:
            rows = torch.randperm(16, generator=g)[:4]
            y[rows] = y[rows] + 9.0
        yield x, y
