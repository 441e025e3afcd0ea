from functools import partial


class LayerInspector:
    """Watches chosen layers for dying channels."""

    def __init__(self, names):
        self.maps = {n: [] for n in names}
        self._handles = []

    def bind(self, net):
        modules = dict(net.named_modules())
        for name in self.maps:
            self._handles.append(modules[name].register_forward_hook(partial(self._capture, name)))
        return self

    def _capture(self, name, module, inputs, output):
        if module.training:
            self.maps[name].append(output.mean(dim=(2, 3)))  # <- culprit

    def describe(self, last=10):
        parts = []
        for name, maps in self.maps.items():
            act = sum(m.detach().abs().mean().item() for m in maps[-last:]) / max(1, len(maps[-last:]))
            parts.append(f"{name}={act:.3f}")
        return " ".join(parts)

    def close(self):
        for h in self._handles:
            h.remove()
        self._handles.clear()
