"""Sensors differing in gain, offset and frequency response."""
from collections import namedtuple

import torch

Task = namedtuple("Task", "support query")


class SensorFamily:
    def __init__(self, shots):
        self.shots = shots

    def draw(self):
        gain, phase = 0.5 + 2 * torch.rand(()), 3 * torch.rand(())

        def sample():
            x = torch.rand(self.shots, 1) * 6 - 3
            return x, gain * torch.sin(x + phase)
        return Task(sample(), sample())
