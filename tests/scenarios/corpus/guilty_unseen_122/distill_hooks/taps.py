class FeatureTap:
    """Collects the outputs of named sub-modules with forward hooks."""

    def __init__(self, net, names, keep=True):
        self.keep = keep
        self.seen = {n: [] for n in names}
        mods = dict(net.named_modules())
        self.handles = [mods[n].register_forward_hook(self._make(n)) for n in names]

    def _make(self, name):
        def hook(module, args, output):
            if not self.keep:
                self.seen[name].clear()
            self.seen[name].append(output)  # <- culprit
        return hook

    def last(self, name):
        return self.seen[name][-1]

    def remove(self):
        for h in self.handles:
            h.remove()
