import torch


def fundus_batches(n, seed, size=8):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        grade = torch.randint(0, 5, (size,), generator=g)
        img = torch.randn(size, 3, 16, 16, generator=g) * 0.3
        img[:, 0] += grade.view(-1, 1, 1) * 0.2
        yield img, grade
