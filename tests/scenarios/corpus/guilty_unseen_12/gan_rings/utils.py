import math

import torch

HISTORY = {}


def record(**values):
    for name, v in values.items():
        HISTORY.setdefault(name, []).append(v)  # <- culprit


def mean_of(name, last=40):
    vals = [float(v.item() if torch.is_tensor(v) else v) for v in HISTORY[name][-last:]]
    return sum(vals) / len(vals)


def real_labels(n):
    return torch.full((n,), 0.9)


def fake_labels(n):
    return torch.zeros(n)


def sample_rings(n):
    ang = torch.rand(n) * 2 * math.pi
    r = torch.where(torch.rand(n) < 0.5, torch.tensor(1.0), torch.tensor(2.0))
    pts = torch.stack([r * ang.cos(), r * ang.sin()], dim=1)
    return pts + 0.03 * torch.randn(n, 2)
