import contextlib
import functools
import weakref
from collections import defaultdict

from torch import nn


class ActivationMonitor:
    """Share of silent units per ReLU."""

    def __init__(self, beta=0.9):
        self.beta = beta
        self.silent = defaultdict(float)

    def _observe(self, name, module, args, output):
        share = (output == 0).float().mean().item()
        self.silent[name] = self.beta * self.silent[name] + (1 - self.beta) * share

    @contextlib.contextmanager
    def attached(self, net):
        handles = [m.register_forward_hook(functools.partial(self._observe, name))
                   for name, m in net.named_modules() if isinstance(m, nn.ReLU)]
        try:
            yield self
        finally:
            for handle in handles:
                handle.remove()

    def __str__(self):
        return " ".join(f"relu[{n}] silent {v:.2f}" for n, v in self.silent.items())


class Lineage:
    """Every loss by its step, as long as it exists."""

    def __init__(self):
        self._losses = weakref.WeakValueDictionary()

    def record(self, step, loss):
        self._losses[step] = loss

    def __len__(self):
        return len(self._losses)
