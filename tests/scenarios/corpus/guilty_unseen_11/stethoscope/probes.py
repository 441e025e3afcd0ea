"""Watch what the layers do while something else trains the model."""
from collections import defaultdict

import torch


class ActivationProbe:
    """Context manager: channel means of the named layers, one entry per training forward."""

    def __init__(self, model, layers):
        self.model = model
        self.layers = layers
        self.trace = defaultdict(list)
        self._handles = []

    def __enter__(self):
        for name in self.layers:
            layer = self.model.get_submodule(name)
            self._handles.append(layer.register_forward_hook(self._hook(name)))
        return self

    def _hook(self, name):
        def record(module, inputs, output):
            if module.training:
                self.trace[name].append(output.mean(dim=(0, 2)))  # <- culprit
        return record

    def __exit__(self, *exc):
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        return False

    @torch.no_grad()
    def summary(self):
        report = {}
        for name, means in self.trace.items():
            table = torch.stack(means)
            report[name] = (table.mean().item(), int((table[-20:].amax(0) < 1e-4).sum()))
        return report
