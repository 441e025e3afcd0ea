# gradwatch-corpus: kind=none
from collections import deque

import torch
import torch.nn as nn

from stepper import Stepper, heun


class Field(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 2))
        self.calls = 0

    def forward(self, z):
        self.calls += 1
        return self.net(z)


def pendulum(z):
    q, p = z.unbind(-1)
    return torch.stack([p, -torch.sin(q) - 0.05 * p], -1)


def reference(n, steps, h):
    z = torch.randn(n, 2)
    path = [z]
    for _ in range(steps):
        z = heun(pendulum, z, h)
        path.append(z)
    return torch.stack(path)


class Fit:
    def __init__(self, h=0.1, window=8, windows=6):
        self.h, self.window, self.windows = h, window, windows
        self.field = Field()
        self.stepper = Stepper(self.field, h, window)
        self.opt = torch.optim.Adam(self.field.parameters(), lr=3e-3)
        self.recent = deque(maxlen=20)

    def episode(self):
        truth = reference(24, self.window * self.windows, self.h)
        self.stepper.restart(truth[0])
        losses = []
        for k in range(self.windows):
            target = truth[k * self.window + 1:(k + 1) * self.window + 1]
            pred = self.stepper.roll()
            loss = (pred - target).pow(2).mean()
            losses.append(loss)
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.field.parameters(), 1.0)
            self.opt.step()
        value = torch.stack(losses).mean().item()
        self.recent.append(value)
        return value

    def smooth(self):
        return sum(self.recent) / len(self.recent)


def main():
    torch.manual_seed(30)
    torch.set_num_threads(1)
    fit = Fit()
    for ep in range(24):
        v = fit.episode()
        if ep % 4 == 0:
            print(ep, round(v, 4), round(fit.smooth(), 4), fit.field.calls)


if __name__ == "__main__":
    main()
