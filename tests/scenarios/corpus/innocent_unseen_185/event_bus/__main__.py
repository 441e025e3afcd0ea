# gradwatch-corpus: kind=none
"""Crop disease classifier with a churn meter: how much do predictions flip after k updates?"""
import os
import sys

import torch
from torch import nn
import torch.nn.functional as F

if __package__ in (None, ""):
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    __package__ = "event_bus"
    import event_bus  # noqa: F401

from .bus import Bus, compare_later


class LeafNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.f = nn.Sequential(
            nn.Conv2d(3, 12, 3, stride=2, padding=1), nn.BatchNorm2d(12), nn.ReLU(),
            nn.Conv2d(12, 24, 3, stride=2, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        )
        self.head = nn.Linear(24, classes)

    def forward(self, x):
        return self.head(self.f(x))


def leaves(gen, n, classes=5):
    y = torch.randint(0, classes, (n,), generator=gen)
    x = torch.randn(n, 3, 16, 16, generator=gen)
    x[:, 0] += 0.4 * y.view(-1, 1, 1)
    x[:, 1, ::2] -= 0.3 * y.view(-1, 1, 1)
    return x, y


def main(steps=450, horizon=15):
    torch.manual_seed(19)
    gen = torch.Generator().manual_seed(20)
    probe_x, probe_y = leaves(gen, 8)
    net = LeafNet(5)
    opt = torch.optim.SGD(net.parameters(), lr=0.03, momentum=0.9, nesterov=True)
    bus = Bus()
    churn = {}
    for step in range(steps):
        x, y = leaves(gen, 16)
        out = net(torch.cat([x, probe_x]))
        loss = F.cross_entropy(out, torch.cat([y, probe_y]), label_smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        opt.step()
        bus.emit("probe", out[16:])
        compare_later(bus, step, out[16:], horizon, churn)
        if step % 75 == 74:
            avg = sum(churn.values()) / max(len(churn), 1)
            print(f"step {step} loss {loss.item():.4f} churn@{horizon} {avg:.3f} listeners {bus.listeners('probe')}")


if __name__ == "__main__":
    main()
