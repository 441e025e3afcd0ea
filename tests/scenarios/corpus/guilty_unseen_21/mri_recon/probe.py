"""Spread of the activations of every layer of a kind, over the run."""
from collections import defaultdict


class ActivationProbe:
    def __init__(self, model, kinds):
        self.spread = defaultdict(list)
        self._handles = []
        for name, module in model.named_modules():
            if isinstance(module, kinds):
                self._handles.append(module.register_forward_hook(self._collector(name)))

    def _collector(self, name):
        def collect(module, inputs, output):
            if module.training:
                self.spread[name].append(output.std())  # <- culprit

        return collect

    def averages(self):
        return {name: sum(float(v) for v in values) / len(values) for name, values in self.spread.items()}

    def remove(self):
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
