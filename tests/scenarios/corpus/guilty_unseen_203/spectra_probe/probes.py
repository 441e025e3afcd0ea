from collections import defaultdict


class LayerProbe:
    """Follows the scale of chosen layers' outputs through training."""

    def __init__(self, net, names):
        self.trace = defaultdict(list)
        self.handles = []
        modules = dict(net.named_modules())
        for name in names:
            self.handles.append(modules[name].register_forward_hook(self._hook(name)))

    def _hook(self, name):
        def hook(module, args, output):
            rms = output.pow(2).mean(dim=(1, 2)).sqrt()
            self.trace[name].append(rms)  # <- culprit
        return hook

    def summary(self, window=20):
        parts = []
        for name, values in self.trace.items():
            tail = values[-window:]
            parts.append(f"{name}:{sum(v.mean().item() for v in tail) / len(tail):.3f}")
        return " ".join(parts)

    def close(self):
        for h in self.handles:
            h.remove()
        self.handles.clear()
