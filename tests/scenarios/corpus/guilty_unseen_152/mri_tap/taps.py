"""Activation taps for looking at feature drift during training."""
import torch


class ActivationTap:
    def __init__(self, model, names):
        self.modules = dict(model.named_modules())
        self.names = list(names)
        self.store = {}
        self.step = 0
        self._handles = []

    def arm(self):
        for name in self.names:
            self._handles.append(self.modules[name].register_forward_hook(self._hook(name)))

    def disarm(self):
        while self._handles:
            self._handles.pop().remove()

    def _hook(self, name):
        def keep(module, inputs, output):
            self.store[name, self.step] = output.flatten(1).mean(0)  # <- culprit
        return keep

    def drift(self, name):
        steps = sorted(s for n, s in self.store if n == name)
        if len(steps) < 2:
            return 0.0
        first, last = self.store[name, steps[0]], self.store[name, steps[-1]]
        return float(torch.dist(first, last))
