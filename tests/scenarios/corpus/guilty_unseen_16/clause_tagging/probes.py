from collections import defaultdict
from functools import partial


class ActivationProbe:
    """Watches the mean magnitude of chosen submodules' outputs while training."""

    def __init__(self, model, names):
        self.stats = defaultdict(list)
        self.handles = []
        modules = dict(model.named_modules())
        for name in names:
            handle = modules[name].register_forward_hook(partial(self._note, name))
            self.handles.append(handle)

    def _note(self, name, module, args, output):
        if module.training:
            self.stats[name].append(output.abs().mean())  # <- culprit

    def line(self, last=20):
        cells = []
        for name, values in self.stats.items():
            tail = [float(v) for v in values[-last:]]
            cells.append(f"|{name}|={sum(tail) / len(tail):.3f}")
        return "  ".join(cells)

    def close(self):
        for handle in self.handles:
            handle.remove()
        self.handles.clear()
