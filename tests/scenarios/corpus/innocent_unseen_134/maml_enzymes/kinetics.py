from dataclasses import dataclass

import torch


@dataclass
class Task:
    s_x: torch.Tensor
    s_y: torch.Tensor
    q_x: torch.Tensor
    q_y: torch.Tensor


class Lab:
    def __init__(self, noise):
        self.noise = noise

    def task(self, shots=8, queries=12):
        vmax, km = 0.5 + torch.rand(()), 0.2 + torch.rand(())
        s = torch.rand(shots + queries, 1) * 2
        v = vmax * s / (km + s) + self.noise * torch.randn_like(s)
        return Task(s[:shots], v[:shots], s[shots:], v[shots:])
