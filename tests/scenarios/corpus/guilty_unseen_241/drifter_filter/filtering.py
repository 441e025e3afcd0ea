from typing import NamedTuple

import torch
from torch import nn


class Belief(NamedTuple):
    mean: torch.Tensor
    spread: torch.Tensor


class NeuralKalman(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.motion = nn.Linear(4, 4, bias=False)
        nn.init.eye_(self.motion.weight)
        self.gain = nn.Sequential(nn.Linear(6, width), nn.Tanh(), nn.Linear(width, 4))
        self.log_q = nn.Parameter(torch.full((4,), -3.0))
        self.belief = None

    def launch(self, first_fix):
        pad = torch.zeros_like(first_fix)
        self.belief = Belief(torch.cat([first_fix, pad], dim=1), torch.ones(first_fix.shape[0], 4))

    def predict(self, belief):
        mean = self.motion(belief.mean)
        spread = 0.9 * belief.spread + self.log_q.exp()
        return Belief(mean, spread)

    def correct(self, belief, fix):
        innovation = fix - belief.mean[:, :2]
        gain = torch.sigmoid(self.gain(torch.cat([innovation, belief.spread], dim=1)))
        push = torch.cat([innovation, innovation], dim=1)
        mean = belief.mean + gain * push
        return Belief(mean, (1 - gain) * belief.spread)

    def forward(self, fixes):
        belief = self.belief
        means = []
        for fix in fixes:
            belief = self.correct(self.predict(belief), fix)
            means.append(belief.mean[:, :2])
        self.belief = belief  # <- culprit
        return torch.stack(means)
