# gradwatch-corpus: kind=none
"""Tide level forecasting with a GRU, truncated BPTT over windows of K hours."""
import math
from collections import deque

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)

STATIONS, WIDTH, K, UPDATES = 6, 16, 6, 330
PERIODS = torch.tensor([12.42, 12.0, 25.82, 23.93])
amp = torch.rand(STATIONS, 4) + 0.2
phase = torch.rand(STATIONS, 4) * 2 * math.pi


def level(hour):
    arg = 2 * math.pi * hour / PERIODS + phase
    return (amp * arg.cos()).sum(1) + 0.03 * torch.randn(STATIONS)


class Tide(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(1, WIDTH)
        self.head = nn.Linear(WIDTH, 1)
        self.h = None

    def step(self, x):
        if self.h is None:
            self.h = torch.zeros(STATIONS, WIDTH)
        self.h = self.cell(x.unsqueeze(1), self.h)
        return self.head(self.h).squeeze(1)

    def cut(self):
        if self.h is not None:
            self.h = self.h.detach()


net = Tide()
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
states = deque(maxlen=K)
recent = deque(maxlen=30)
curve = []

window_loss = 0.0
hour, done = 0, 0
x = level(hour)
while done < UPDATES:
    hour += 1
    target = level(hour)
    pred = net.step(x)
    states.append(net.h)
    window_loss = window_loss + (pred - target).pow(2).mean()
    x = target
    if hour % K:
        continue
    smooth = sum((b - a).pow(2).mean() for a, b in zip(states, list(states)[1:]))
    loss = window_loss / K + 1e-3 * smooth
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    recent.append(loss)
    window_loss = 0.0
    net.cut()
    done += 1
    if done % 30 == 0:
        curve.append(torch.stack(list(recent)).mean().item())
        print(f"update {done}: {curve[-1]:.4f}")

print("best", min(curve))
