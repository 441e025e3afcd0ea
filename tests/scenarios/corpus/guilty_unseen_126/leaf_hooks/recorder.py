from collections import defaultdict


class Recorder:
    """Keeps the activations of the named blocks so that they can be plotted afterwards."""

    def __init__(self, model, names):
        self.maps = defaultdict(list)
        mods = dict(model.named_modules())
        self.handles = [mods[n].register_forward_hook(self._make(n)) for n in names]

    def _make(self, name):
        def hook(module, inputs, output):
            self.maps[name].append(output.mean(dim=(2, 3)))  # <- culprit
        return hook

    def mean(self, name):
        return self.maps[name][-1].mean().item()
