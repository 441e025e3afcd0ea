from collections import defaultdict

import torch


class EventBus:
    def __init__(self):
        self._handlers = defaultdict(list)

    def on(self, name):
        def register(fn):
            self._handlers[name].append(fn)
            return fn
        return register

    def emit(self, name, **kw):
        for fn in self._handlers[name]:
            fn(**kw)


class ProximalMixin:
    """Keeps the depot biases close to their own slow average."""

    _anchor = None

    @property
    def anchor(self):
        return self._anchor

    @anchor.setter
    def anchor(self, value):
        self._anchor = value  # <- culprit

    def advance_anchor(self, bias):
        p = self.cfg.prox
        if self.anchor is None:
            self.anchor = bias.detach().clone()
        else:
            self.anchor = torch.lerp(self.anchor, bias, p.rate)  # <- culprit

    def proximal(self, bias):
        if self.anchor is None:
            return bias.new_zeros(())
        return self.cfg.prox.weight * (bias - self.anchor).pow(2).sum()

    def drift(self):
        if self.anchor is None:
            return 0.0
        return float((self.model[-1].bias - self.anchor).abs().max())
