import math

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Morphology(nn.Module):
    def __init__(self, bells):
        super().__init__()
        self.log_stiffness = nn.Parameter(torch.zeros(bells))
        self.log_area = nn.Parameter(torch.zeros(bells))

    def forward(self):
        return self.log_stiffness.exp(), self.log_area.exp()

    def material(self):
        stiffness, area = self()
        return 0.02 * (area.pow(2).sum() + stiffness.sum())


class Controller(nn.Module):
    def __init__(self, bells, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(bells * 2 + 2, width), nn.Tanh(), nn.Linear(width, bells))

    def forward(self, bend, rate, clock):
        beat = torch.tensor([math.sin(clock), math.cos(clock)])
        return torch.tanh(self.net(torch.cat([bend, rate, beat])))


def pulse(bend, rate, pos, drive, stiffness, area, wear):
    force = drive - stiffness * (1 - wear) * bend - 0.3 * rate
    rate = rate + 0.1 * force
    bend = bend + 0.1 * rate
    thrust = (area * rate * torch.relu(bend)).sum() / (1 + area.sum())
    return bend, rate, pos + 0.1 * thrust


class Swim:
    """One simulated swim; segments are recomputed in the backward pass to spare memory."""

    def __init__(self, morphology, controller, beats=5, beat_len=5):
        self.morphology = morphology
        self.controller = controller
        self.beats = beats
        self.beat_len = beat_len

    def _beat(self, start, bend, rate, pos, stiffness, area, wear):
        effort = torch.zeros(())
        for k in range(self.beat_len):
            drive = self.controller(bend, rate, 0.4 * (start + k))
            bend, rate, pos = pulse(bend, rate, pos, drive, stiffness, area, wear)
            effort = effort + drive.pow(2).mean()
        return bend, rate, pos, effort

    def __call__(self, wear):
        stiffness, area = self.morphology()
        bend = torch.full_like(wear, 0.1)
        rate = torch.zeros_like(wear)
        pos = torch.zeros(())
        path = []
        strain = torch.zeros_like(wear)
        effort = torch.zeros(())
        for b in range(self.beats):
            args = (b * self.beat_len, bend, rate, pos, stiffness, area, wear)
            bend, rate, pos, used = checkpoint(self._beat, *args, use_reentrant=False)
            effort = effort + used
            strain = strain + bend.abs()
            path.append(pos)
        return torch.stack(path), effort / (self.beats * self.beat_len), strain / self.beats
