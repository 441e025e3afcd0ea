import torch


def event_batches(n, size=4, nodes=15):
    for _ in range(n):
        perm = torch.randperm(nodes)
        yield perm[:size], perm[size:2 * size], perm[2 * size:3 * size], torch.randn(size, 4)
