import math

import torch


class SinusoidTasks:
    def __init__(self, k_shot, k_query):
        self.k_shot, self.k_query = k_shot, k_query

    def sample(self):
        amp = 0.1 + 4.9 * torch.rand(1)
        phase = math.pi * torch.rand(1)
        x = 10 * torch.rand(self.k_shot + self.k_query, 1) - 5
        y = amp * torch.sin(x + phase)
        return (x[:self.k_shot], y[:self.k_shot]), (x[self.k_shot:], y[self.k_shot:])
