from .net import SeparableBlock


class ActivationMonitor:
    """Follows how alive each block is: mean activation per channel, through forward hooks."""

    def __init__(self, model):
        self.trace = {}
        self.handles = []
        for name, mod in model.named_modules():
            if isinstance(mod, SeparableBlock):
                self.trace[name] = []
                self.handles.append(mod.register_forward_hook(self._hook(name)))

    def _hook(self, name):
        def record(mod, inputs, output):
            if mod.training:
                self.trace[name].append(output.mean(dim=(0, 2)))  # <- culprit
        return record

    def dead_channels(self, name, window=20, eps=1e-3):
        recent = self.trace[name][-window:]
        if not recent:
            return 0
        mean = sum(recent) / len(recent)
        return int((mean < eps).sum())

    def summary(self):
        return "  ".join(f"{n}: {self.dead_channels(n)} dead" for n in self.trace)

    def close(self):
        for h in self.handles:
            h.remove()
