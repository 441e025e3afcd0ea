import functools

import torch

REGISTRY = {}


class Tracker:
    def __init__(self, name):
        self.name = name
        self.calls = []

    def add(self, value):
        self.calls.append(value)  # <- culprit

    def mean(self, last):
        return sum(torch.as_tensor(v).item() for v in self.calls[-last:]) / last


def tracked(fn):
    tracker = REGISTRY.setdefault(fn.__name__, Tracker(fn.__name__))

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        out = fn(*args, **kwargs)
        tracker.add(out)  # <- culprit
        return out

    wrapper.tracker = tracker
    return wrapper
