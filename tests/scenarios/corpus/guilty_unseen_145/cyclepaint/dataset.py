import torch


def unaligned_batches(n, size):
    ramp = torch.linspace(-1, 1, size)
    for _ in range(n):
        a = ramp.view(1, 1, 1, size) * torch.rand(2, 1, size, 1) + 0.1 * torch.randn(2, 1, size, size)
        b = ramp.view(1, 1, size, 1) * torch.rand(2, 1, 1, size) + 0.1 * torch.randn(2, 1, size, size)
        yield {"A": a, "B": b}
