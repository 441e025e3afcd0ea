class FeatureTaps:
    """Context manager that records outputs of the named layers while active."""

    def __init__(self, model, names):
        self.model, self.names = model, names
        self.feats, self._handles = {}, []

    def _make(self, name):
        def hook(module, inp, out):
            self.feats[name] = out
        return hook

    def __enter__(self):
        for n in self.names:
            self._handles.append(self.model.get_submodule(n).register_forward_hook(self._make(n)))
        return self

    def __exit__(self, *exc):
        for h in self._handles:
            h.remove()
        self._handles.clear()
        self.feats.clear()
        return False
