import collections
import functools


class ActivationMonitor:
    """Keeps the scale of chosen layers, to spot saturating trunks."""

    def __init__(self, watch):
        self.watch = set(watch)
        self.series = collections.defaultdict(list)
        self.handles = []

    def attach(self, model):
        for name, module in model.named_modules():
            if name in self.watch:
                hook = functools.partial(self._record, name)
                self.handles.append(module.register_forward_hook(hook))

    def _record(self, name, module, inputs, output):
        scale = output.abs().mean()
        self.series[name].append(scale)  # <- culprit

    def report(self):
        result = {}
        for name, values in self.series.items():
            result[name] = {"first": values[0].item(), "last": values[-1].item()}
        return result

    def close(self):
        for handle in self.handles:
            handle.remove()
        self.handles.clear()
