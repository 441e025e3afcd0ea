import torch


def stream(n, batch=32, dim=20):
    mix = torch.randn(3, dim)
    for _ in range(n):
        yield torch.tanh(torch.randn(batch, 3) @ mix) + 0.05 * torch.randn(batch, dim)
