class FeatureTaps:
    """Collects outputs of the named layers while a step is in progress."""

    def __init__(self, model, names):
        self.outputs = []
        self.handles = []
        table = dict(model.named_modules())
        for name in names:
            self.handles.append(table[name].register_forward_hook(self._grab))

    def _grab(self, module, args, out):
        self.outputs.append(out)

    def take(self):
        got = list(self.outputs)
        self.outputs.clear()
        return got

    def remove(self):
        for h in self.handles:
            h.remove()
        self.handles.clear()
