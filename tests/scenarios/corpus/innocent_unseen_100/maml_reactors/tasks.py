from dataclasses import dataclass

import torch


@dataclass
class Task:
    sx: torch.Tensor
    sy: torch.Tensor
    qx: torch.Tensor
    qy: torch.Tensor


class ReactorFamily:
    def __init__(self, shots):
        self.shots = shots

    def draw(self):
        amp, rate, lag = 0.5 + torch.rand(3)
        curve = lambda t: amp * (1 - torch.exp(-3 * rate * torch.relu(t - 0.3 * lag + 1)))
        t = 2 * torch.rand(2 * self.shots, 1) - 1
        y = curve(t) + 0.02 * torch.randn_like(t)
        return Task(t[:self.shots], y[:self.shots], t[self.shots:], y[self.shots:])

    def batches(self, tasks):
        while True:
            yield [self.draw() for _ in range(tasks)]
