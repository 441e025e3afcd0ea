import math

import torch


class SineTasks:
    def __init__(self, k):
        self.k = k

    def sample(self):
        amp, phase = 0.5 + 2 * torch.rand(1), math.pi * torch.rand(1)
        def draw():
            x = 10 * torch.rand(self.k, 1) - 5
            return x, amp * torch.sin(x + phase)
        return draw(), draw()
