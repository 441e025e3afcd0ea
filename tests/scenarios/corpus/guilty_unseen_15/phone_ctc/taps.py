"""Activation levels of chosen layers, to see dead or exploding ones early."""
from collections import defaultdict


class Taps:
    def __init__(self, net, names):
        self.stats = defaultdict(list)
        self._handles = []
        for name in names:
            layer = net.get_submodule(name)
            self._handles.append(layer.register_forward_hook(self._make(name)))

    def _make(self, name):
        stats = self.stats

        def hook(module, inputs, output):
            level = output.pow(2).mean().sqrt()
            stats[name].append(level)  # <- culprit

        return hook

    def report(self, last=20):
        parts = []
        for name, levels in self.stats.items():
            tail = [v.item() for v in levels[-last:]]
            parts.append(f"{name}={sum(tail) / len(tail):.2f}")
        return " ".join(parts)

    def close(self):
        for h in self._handles:
            h.remove()
        self._handles.clear()
