import math

import torch


class Sonde:
    def __init__(self, forcings, reaches):
        self.mix = torch.randn(forcings) * 0.4
        self.salt = torch.zeros(reaches)
        self.hour = 0

    def read(self):
        self.hour += 1
        forcing = 0.5 * torch.randn(self.salt.numel(), self.mix.numel())
        forcing[:, 0] += math.sin(2 * math.pi * self.hour / 12.4)
        self.salt = 0.9 * self.salt + 0.3 * torch.tanh(forcing @ self.mix)
        return forcing, self.salt
