import math

import torch


class SinusoidTasks:
    def __init__(self, k_support=10, k_query=10):
        self.ks, self.kq = k_support, k_query

    def sample(self, n):
        tasks = []
        for _ in range(n):
            amp = torch.empty(1).uniform_(0.5, 3.0)
            phase = torch.empty(1).uniform_(0, math.pi)
            x = torch.empty(self.ks + self.kq, 1).uniform_(-5, 5)
            y = amp * torch.sin(x + phase)
            tasks.append((x[:self.ks], y[:self.ks], x[self.ks:], y[self.ks:]))
        return tasks
