# gradwatch-corpus: kind=none
from collections import deque

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(81)


class Odometer(nn.Module):
    def __init__(self):
        super().__init__()
        self.flow = nn.Sequential(nn.Linear(12, 18), nn.ELU(), nn.Linear(18, 3))

    def forward(self, pixels):
        return self.flow(pixels)


class Drift:
    """The last few poses; the drift is the spread among their mean errors."""

    def __init__(self, frames=7):
        self.poses = deque(maxlen=frames)
        self.errors = deque(maxlen=frames)

    def see(self, pose, error):
        self.poses.append(pose)
        self.errors.append(error)

    def value(self):
        with torch.no_grad():
            return torch.stack(list(self.errors)).std(unbiased=False).item(), torch.cat(list(self.poses)).norm(dim=1).mean().item()


MIX = torch.randn(3, 12)


def frame(n=10):
    motion = torch.randn(n, 3) * 0.4
    return torch.tanh(motion @ MIX) + 0.05 * torch.randn(n, 12), motion


odometer, drift = Odometer(), Drift()
opt = torch.optim.RAdam(odometer.parameters(), lr=4e-3)
for i in range(700):
    pixels, motion = frame()
    pose = odometer(pixels)
    error = (pose - motion).abs().mean()
    opt.zero_grad()
    error.backward()
    opt.step()
    drift.see(pose, error)
    if i % 140 == 139:
        print(i + 1, error.item(), drift.value())
