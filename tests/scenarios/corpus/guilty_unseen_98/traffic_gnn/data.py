import math

import torch


def make_windows(sensors, history, samples):
    t = torch.arange(samples + history + 1, dtype=torch.float32)
    phase = torch.linspace(0, math.pi, sensors)
    speed = 60 + 15 * torch.sin(t[:, None] / 9 + phase) + 2 * torch.randn(len(t), sensors)
    speed = (speed - speed.mean()) / speed.std()
    xs = torch.stack([speed[i:i + history].T for i in range(samples)])
    ys = torch.stack([speed[i + history] for i in range(samples)])
    return xs, ys
