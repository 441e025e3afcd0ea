from collections import deque

import torch


class WindowMeter:
    def __init__(self, window):
        self.values = deque(maxlen=window)
        self.history = []

    def push(self, value):
        self.values.append(value)
        if len(self.values) == self.values.maxlen:
            self.history.append(self.mean)

    @property
    def mean(self):
        return torch.stack(tuple(self.values)).mean().item()


class MeterBoard:
    def __init__(self, window):
        self.window = window
        self.meters = {}

    def push(self, **values):
        for name, value in values.items():
            self.meters.setdefault(name, WindowMeter(self.window)).push(value)

    def __str__(self):
        return "  ".join(f"{name} {meter.mean:.4f}" for name, meter in self.meters.items())
