"""Random patches in two colour distributions."""
import torch


def patch_stream(batch, size=16):
    tint = torch.tensor([0.6, -0.2, 0.3]).view(1, 3, 1, 1)
    while True:
        source = torch.tanh(torch.randn(batch, 3, size, size))
        target = torch.tanh(0.5 * torch.randn(batch, 3, size, size) + tint)
        yield source, target
