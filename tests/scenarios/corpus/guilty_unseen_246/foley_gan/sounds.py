import math

import torch


def footsteps(batch, length):
    """Decaying thumps with a random pitch and onset."""
    time = torch.arange(length).float() / length
    pitch = 4 + 8 * torch.rand(batch, 1)
    decay = 3 + 4 * torch.rand(batch, 1)
    wave = torch.sin(2 * math.pi * pitch * time) * torch.exp(-decay * time)
    return wave + 0.02 * torch.randn(batch, length)
