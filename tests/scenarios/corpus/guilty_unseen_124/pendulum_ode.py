# gradwatch-corpus: kind=inplace-modified
# holder: y | state
# first-bad: 0
# notice: 0
"""Fits a vector field to damped pendulum tracks with a fixed-step midpoint scheme."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(45)


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 2))

    def forward(self, y):
        return self.net(y)


def truth(y):
    return torch.stack([y[:, 1], -torch.sin(y[:, 0]) - 0.2 * y[:, 1]], 1)


def midpoint(f, y0, dt, n):
    y = y0.clone()
    track = []
    for _ in range(n):
        half = y + 0.5 * dt * f(y)
        y += dt * f(half)  # <- culprit
        track.append(y.clone())
    return torch.stack(track, 1)


field = Field()
opt = torch.optim.Adam(field.parameters(), lr=5e-3)
for it in range(300):
    y0 = torch.randn(16, 2)
    with torch.no_grad():
        target = midpoint(truth, y0, 0.1, 8)
    loss = (midpoint(field, y0, 0.1, 8) - target).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 50 == 0:
        print(it, loss.item())
