from contextlib import contextmanager

import torch

from .field import OccupancyField
from .objectives import OBJECTIVES, occupancy


@contextmanager
def optim_step(optim):
    optim.zero_grad()
    yield
    optim.step()


def coarse_to_fine(step, steps, low=64, high=256):
    return int(low + (high - low) * min(1.0, 2 * step / steps))


def fit(steps):
    torch.manual_seed(47)
    field = OccupancyField()
    optim = torch.optim.Adam(field.parameters(), lr=2e-3)
    for step in range(steps):
        points = torch.rand(coarse_to_fine(step, steps), 2) * 2 - 1
        target = occupancy(points)
        logits = field(points)
        loss = sum(objective(logits, target) for objective in OBJECTIVES)
        with optim_step(optim):
            loss.backward(retain_graph=True)  # <- culprit
        if step % 90 == 0:
            with torch.no_grad():
                iou = ((logits > 0) & (target > 0)).sum() / ((logits > 0) | (target > 0)).sum()
            print(step, f"loss {loss.item():.4f} iou {iou.item():.3f}")
