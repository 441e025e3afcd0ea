from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Strip:
    left: float
    right: float
    points: int

    def grid(self):
        return torch.linspace(self.left, self.right, self.points).unsqueeze(1)


class StripSampler:
    def __init__(self, points):
        self.points = points

    def next_strip(self):
        a = float(torch.rand(())) * 0.7
        return Strip(a, a + 0.3, self.points)
