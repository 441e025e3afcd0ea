import torch


def stream(plate, n):
    gen = torch.Generator().manual_seed(100 + plate)
    bias = torch.randn(1, generator=gen)
    for _ in range(n):
        x = torch.randn(16, 12, generator=gen)
        y = torch.tanh(x[:, :3].sum(1, keepdim=True)) + 0.3 * bias
        yield x, y
