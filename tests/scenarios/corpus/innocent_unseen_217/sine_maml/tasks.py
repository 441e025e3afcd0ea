from dataclasses import dataclass

import torch

TASKS = {}


def task(name):
    def deco(c):
        TASKS[name] = c
        return c
    return deco


@dataclass
class Episode:
    xs: torch.Tensor
    ys: torch.Tensor
    xq: torch.Tensor
    yq: torch.Tensor


@task("plant_response")
class PlantResponse:
    def __init__(self, shots):
        self.shots = shots

    def draw(self):
        amp, ph = torch.rand(()) * 3 + 0.5, torch.rand(()) * 3
        xs, xq = torch.rand(self.shots, 1) * 6 - 3, torch.rand(self.shots, 1) * 6 - 3
        return Episode(xs, amp * torch.sin(xs + ph), xq, amp * torch.sin(xq + ph))
