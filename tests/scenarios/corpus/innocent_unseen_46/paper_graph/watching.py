from collections import deque

import torch


class FeatureProbe:
    """Keeps the newest outputs of one layer."""

    def __init__(self, layer, keep=6):
        self.outputs = deque(maxlen=keep)
        self.first = None
        self.handle = layer.register_forward_hook(self._store)

    def _store(self, module, args, output):
        out = output.detach()
        if self.first is None:
            self.first = out
        self.outputs.append(out)

    def dead_units(self):
        return int((torch.stack(list(self.outputs)).amax((0, 1)) <= 0).sum())

    def drift(self):
        return (self.outputs[-1] - self.first).norm().item() / self.first.norm().item()


class Meter:
    def __init__(self, *names):
        self.values = {n: [] for n in names}

    def add(self, **kw):
        for name, value in kw.items():
            self.values[name].append(value.item())

    def summary(self, last=10):
        return "  ".join("%s %.4f" % (n, sum(v[-last:]) / max(1, len(v[-last:]))) for n, v in self.values.items())
