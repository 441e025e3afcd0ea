from collections import defaultdict


class ActivationProbe:
    """Collects the outputs of named submodules, to look for dead units."""

    def __init__(self, model, names):
        self.store = defaultdict(list)
        self.handles = []
        modules = dict(model.named_modules())
        for name in names:
            self.handles.append(modules[name].register_forward_hook(self._make_hook(name)))

    def _make_hook(self, name):
        def hook(module, inputs, output):
            if module.training:
                self.store[name].append(output.mean(dim=2))  # <- culprit
        return hook

    def dead_fraction(self):
        report = {}
        for name, acts in self.store.items():
            dead = (acts[-1] <= 0).all(dim=0).float().mean().item()
            report[name] = round(dead, 3)
        return report

    def remove(self):
        for h in self.handles:
            h.remove()
