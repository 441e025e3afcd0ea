"""Synthetic tide: M2, S2, K1, a surge, and instrument noise."""
import math
import torch

CONSTITUENTS = {"M2": (12.42, 1.0), "S2": (12.0, 0.35), "K1": (23.93, 0.2)}


def height(t, phase):
    h = torch.zeros_like(t)
    for period, amp in CONSTITUENTS.values():
        h = h + amp * torch.cos(2 * math.pi * t / period + phase)
    return h


def gauge_stream(batch, width, dt=1 / 12):
    phase = torch.rand(batch, 1) * 6.28
    surge = torch.zeros(batch, 1)
    k = 0
    while True:
        t = (torch.arange(2 * width) + k * width) * dt
        surge = 0.95 * surge + 0.05 * torch.randn(batch, 1)
        z = height(t.expand(batch, -1), phase) + surge + 0.02 * torch.randn(batch, 2 * width)
        yield z[:, :width], z[:, width:]
        k += 1
