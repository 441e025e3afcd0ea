import math

import torch


class SineTasks:
    def __init__(self, shots):
        self.shots = shots

    def draw(self):
        amp, phase = 0.5 + 2 * torch.rand(()), math.pi * torch.rand(())
        x = 6 * torch.rand(2 * self.shots, 1) - 3
        y = amp * torch.sin(x + phase)
        return (x[:self.shots], y[:self.shots]), (x[self.shots:], y[self.shots:])
