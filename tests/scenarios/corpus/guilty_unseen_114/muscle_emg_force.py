# gradwatch-corpus: kind=inplace-modified
# holder: drive | act | activation
# first-bad: 60
# notice: 0
"""Grip force from surface EMG through a Hill-type muscle layer.

    EMG envelope -> neural drive (sigmoid) -> activation -> force

From epoch 3 on the training signal also contains simulated fatigue: in part of the
recordings the drive of a random muscle is scaled down.
"""
import random

import numpy as np
import torch
from torch import nn

CFG = dict(channels=8, muscles=6, epochs=12, batch=16, recordings=320, fatigue_from=3, lr=3e-3)


def fatigue_(drive, rng):
    """Scale the drive of one muscle in about a third of the rows."""
    for row in range(drive.shape[0]):
        if rng.random() < 0.33:
            muscle = rng.randrange(drive.shape[1])
            drive[row, muscle] *= 1 - 0.5 * rng.random()  # <- culprit
    return drive


class Hill(nn.Module):
    def __init__(self, muscles):
        super().__init__()
        self.log_fmax = nn.Parameter(torch.zeros(muscles))
        self.shape = nn.Parameter(torch.full((muscles,), -0.5))
        self.arm = nn.Parameter(0.1 * torch.randn(muscles))

    def forward(self, activation, length):
        curve = (torch.exp(self.shape * activation) - 1) / (torch.exp(self.shape) - 1)
        active = torch.exp(-((length - 1) / 0.45) ** 2) * curve
        return (self.log_fmax.exp() * active) @ self.arm


class GripModel(nn.Module):
    def __init__(self, channels, muscles):
        super().__init__()
        self.drive = nn.Sequential(nn.Linear(channels, 16), nn.ReLU(), nn.Linear(16, muscles), nn.Sigmoid())
        self.hill = Hill(muscles)
        self.tired = False
        self.rng = random.Random(3)

    def forward(self, emg, length):
        drive = self.drive(emg)
        if self.training and self.tired:
            drive = fatigue_(drive, self.rng)  # <- culprit
        return self.hill(drive, length)


def recordings(n, channels, muscles, rng):
    emg = np.abs(rng.normal(size=(n, channels))).astype("float32")
    length = rng.uniform(0.7, 1.3, size=(n, muscles)).astype("float32")
    synergy = np.abs(rng.normal(size=(channels, muscles))) / channels
    act = np.tanh(emg @ synergy)
    force = (act * np.exp(-((length - 1) / 0.45) ** 2)).sum(1) + 0.05 * rng.normal(size=n)
    return torch.from_numpy(emg), torch.from_numpy(length), torch.from_numpy(force.astype("float32"))


def run(cfg):
    torch.set_num_threads(1)
    torch.manual_seed(50)
    rng = np.random.default_rng(50)
    emg, length, force = recordings(cfg["recordings"], cfg["channels"], cfg["muscles"], rng)
    model = GripModel(cfg["channels"], cfg["muscles"])
    opt = torch.optim.Adam(model.parameters(), lr=cfg["lr"])

    for epoch in range(cfg["epochs"]):
        model.tired = epoch >= cfg["fatigue_from"]
        losses = []
        for idx in torch.randperm(len(force)).split(cfg["batch"]):
            loss = (model(emg[idx], length[idx]) - force[idx]).abs().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            losses.append(loss.item())
        print("epoch %d%s: mean abs error %.4f" % (epoch, " (fatigue)" if model.tired else "", sum(losses) / len(losses)))


if __name__ == "__main__":
    run(CFG)
