"""Forward hooks that give the outputs of inner layers to an auxiliary loss."""
from contextlib import contextmanager


class FeatureTaps:
    def __init__(self, module, names):
        wanted = dict(module.named_modules())
        self.captured = {}
        self.handles = [wanted[n].register_forward_hook(self._make_hook(n)) for n in names]

    def _make_hook(self, name):
        def hook(_module, _inputs, output):
            self.captured.setdefault(name, []).append(output)
        return hook

    @contextmanager
    def reading(self):
        self.captured.clear()
        try:
            yield self.captured
        finally:
            self.captured.clear()

    def close(self):
        for h in self.handles:
            h.remove()
