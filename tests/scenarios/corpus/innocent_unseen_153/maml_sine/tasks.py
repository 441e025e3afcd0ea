import math

import torch


def sample_task():
    amp = 0.1 + 4.9 * torch.rand(1)
    phase = math.pi * torch.rand(1)

    def draw(n):
        x = torch.rand(n, 1) * 10 - 5
        return x, amp * torch.sin(x - phase)

    return draw
