# gradwatch-corpus: kind=graph-held
# holder: p.grad | learner.net[0].weight.grad
# first-bad: 1
# also: retain-needless graph-unused
"""Reptile-style meta-learning for spectrometer calibration curves.

Every instrument is a task: a handful of reference lamps, a smooth response curve.
"""
import copy
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class Instrument:
    def __init__(self, rng):
        self.gain = rng.uniform(0.5, 2.0)
        self.shift = rng.uniform(0, math.pi)

    def shots(self, k):
        wavelength = torch.rand(k, 1) * 4 - 2
        return wavelength, self.gain * torch.sin(wavelength + self.shift)


class CurveNet(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(1, hidden), nn.Tanh(),
            nn.Linear(hidden, hidden), nn.Tanh(),
            nn.Linear(hidden, 1),
        )

    def forward(self, x):
        return self.net(x)


def adapt(model, instrument, inner_steps, inner_lr, shots):
    """Train a private copy on one instrument; returns the copy and its last loss."""
    learner = copy.deepcopy(model)
    for _ in range(inner_steps):
        x, y = instrument.shots(shots)
        loss = F.mse_loss(learner(x), y)
        learner.zero_grad()
        loss.backward(create_graph=True)  # <- culprit
        with torch.no_grad():
            for p in learner.parameters():
                p -= inner_lr * p.grad
    return learner, loss.item()


def outer_step(model, learner, optimizer):
    optimizer.zero_grad()
    for slow, p in zip(model.parameters(), learner.parameters()):
        slow.grad = slow.detach() - p.detach()
    optimizer.step()


def main():
    rng = random.Random(0)
    torch.manual_seed(0)
    model = CurveNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.25)
    recent = []
    for meta_it in range(200):
        learner, loss = adapt(model, Instrument(rng), inner_steps=3, inner_lr=0.05, shots=16)
        outer_step(model, learner, optimizer)
        recent = (recent + [loss])[-40:]
        if meta_it % 40 == 39:
            print(f"meta {meta_it + 1:3d}: adapted loss {sum(recent) / len(recent):.4f}")


if __name__ == "__main__":
    main()
