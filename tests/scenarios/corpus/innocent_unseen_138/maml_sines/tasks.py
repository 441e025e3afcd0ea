import math

import torch


class SinusoidTasks:
    def __init__(self, k_shot, k_query):
        self.ks, self.kq = k_shot, k_query

    def sample(self, n):
        for _ in range(n):
            amp = 0.5 + 2 * torch.rand(())
            phase = math.pi * torch.rand(())
            x = 8 * torch.rand(self.ks + self.kq, 1) - 4
            y = amp * torch.sin(x + phase)
            yield x[: self.ks], y[: self.ks], x[self.ks:], y[self.ks:]
