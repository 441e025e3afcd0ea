"""Gradient statistics, printed next to the loss."""
from collections import deque


class GradientProbe:
    def __init__(self, window=64):
        self.window = window
        self.norms = {}
        self.context = {}

    def _store(self, name, grad, spread):
        self.norms.setdefault(name, deque(maxlen=self.window)).append(float(grad.norm()))
        self.context[name] = spread

    def watch(self, name, param, scores):
        """Note the gradient of `param` together with the spread of the scores it scales."""

        def on_grad(grad):
            self._store(name, grad, float(scores.std()))

        param.register_hook(on_grad)  # <- culprit

    def line(self, name):
        norms = self.norms.get(name)
        if not norms:
            return ""
        return f"|g({name})| {sum(norms) / len(norms):.2e} (score spread {self.context[name]:.2f})"
