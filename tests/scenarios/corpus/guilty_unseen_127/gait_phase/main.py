# gradwatch-corpus: kind=graph-held
# holder: bucket | self.taps[name] | probes.taps["temporal"] | probes.taps["phase"] | probes.taps
# first-bad: 1
# notice: 8
import math

import torch
from torch import nn

from probes import Probes

torch.set_num_threads(1)
torch.manual_seed(71)


class GaitPhase(nn.Module):
    """Estimates where in the step a walker is, from shank gyro windows."""

    def __init__(self):
        super().__init__()
        self.temporal = nn.Conv1d(3, 10, 5, padding=2)
        self.phase = nn.Linear(10, 2)

    def forward(self, gyro):
        z = torch.tanh(self.temporal(gyro)).mean(-1)
        return nn.functional.normalize(self.phase(z), dim=-1)


def windows(n=12, length=30):
    t = torch.linspace(0, 1, length)
    start = torch.rand(n, 1) * 2 * math.pi
    wave = torch.sin(start + 4 * t)
    gyro = torch.stack([wave, wave.roll(3, 1), wave ** 2], 1) + 0.1 * torch.randn(n, 3, length)
    target = torch.cat([start.cos(), start.sin()], 1)
    return gyro, target


net = GaitPhase()
probes = Probes(net, ["temporal", "phase"])
sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.8)

for trial in range(400):
    gyro, target = windows()
    loss = (1 - (net(gyro) * target).sum(-1)).mean()
    sgd.zero_grad()
    loss.backward()
    sgd.step()
    if trial % 100 == 0:
        print(trial, round(loss.item(), 4), probes.saturation())
