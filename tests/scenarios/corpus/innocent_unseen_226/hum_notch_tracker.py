# gradwatch-corpus: kind=none
"""Track mains hum in an ECG: amplitude, phase and frequency by gradient steps, one block at a time."""
import math
from collections import deque

import numpy as np
import torch

FS = 500.0
BLOCK = 250
BLOCKS = 160


def ecg_like(n, rng):
    t = np.arange(n) / FS
    beat = np.exp(-((t % 0.8 - 0.2) / 0.02) ** 2)
    return beat + 0.02 * rng.normal(size=n)


def with_hum(ecg):
    t = np.arange(ecg.size) / FS
    drift = 50.0 + 0.02 * np.sin(2 * np.pi * t / 60)
    phase = 2 * np.pi * np.cumsum(drift) / FS
    return ecg + 0.4 * np.sin(phase + 0.6)


def hum_model(theta, t):
    a, b, df = theta.unbind()
    arg = 2 * math.pi * (50.0 + df) * t
    return a * torch.sin(arg) + b * torch.cos(arg)


def rotate(theta, seconds):
    """Move the phase reference to the start of the next block."""
    a, b, df = theta.unbind()
    ang = 2 * math.pi * (50.0 + df) * seconds
    a2 = a * torch.cos(ang) - b * torch.sin(ang)
    b2 = a * torch.sin(ang) + b * torch.cos(ang)
    return torch.stack([a2, b2, df])


rng = np.random.default_rng(3)
clean = ecg_like(BLOCK * BLOCKS, rng)
raw = torch.tensor(with_hum(clean), dtype=torch.float64).view(BLOCKS, BLOCK)
t = torch.arange(BLOCK, dtype=torch.float64) / FS

theta = torch.zeros(3, dtype=torch.float64, requires_grad=True)
rates = torch.tensor([0.2, 0.2, 1e-3], dtype=torch.float64)
recent = deque(maxlen=8)
residual_power = []

for k in range(BLOCKS):
    block = raw[k]
    for _ in range(2):
        err = block - hum_model(theta, t)
        cost = torch.log1p(err.square() * 20).mean()
        (g,) = torch.autograd.grad(cost, theta)
        theta = theta - rates * g
        theta = theta.detach().requires_grad_()
    cleaned = block - hum_model(theta.detach(), t)
    recent.append(cleaned)
    residual_power.append(torch.stack(list(recent)).var().item())
    theta = rotate(theta.detach(), BLOCK / FS).requires_grad_()
    if k % 32 == 0:
        a, b, df = theta.tolist()
        print(f"block {k:3d} amplitude {math.hypot(a, b):.3f} offset {df:+.4f} Hz cost {cost.item():.4f}")

print("power of the last window:", round(residual_power[-1], 4), "clean:", round(float(clean[-2000:].var()), 4))
