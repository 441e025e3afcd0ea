"""Straight-through rounding with a learned clip (after PACT)."""
from collections import defaultdict

import torch

RECENT = defaultdict(list)


class RoundClip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale, levels, name):
        ctx.save_for_backward(x, scale)
        ctx.over = (x > scale).float().mean().item()
        RECENT[name].append(ctx)  # <- culprit
        y = x.clamp(min=0).minimum(scale)
        step = scale / levels
        return torch.round(y / step) * step

    @staticmethod
    def backward(ctx, g):
        x, scale = ctx.saved_tensors
        inside = (x > 0) & (x < scale)
        return g * inside, (g * (x >= scale)).sum(), None, None


def clipped_share(name, last=20):
    calls = RECENT[name][-last:]
    return sum(c.over for c in calls) / max(1, len(calls))
