import torch


def sections(n, batch=10):
    tint = torch.randn(4, 2, 1, 1)
    for _ in range(n):
        mineral = torch.randint(4, (batch,))
        yield tint[mineral] + 0.4 * torch.randn(batch, 2, 7, 7), mineral
