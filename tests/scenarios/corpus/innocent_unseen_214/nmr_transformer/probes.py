class ActivationProbe:
    """Forward hooks that live only inside a `with` block; keeps the tensors until it is left."""

    def __init__(self, modules):
        self.modules = modules
        self.acts, self.handles = {}, []

    def __enter__(self):
        for i, m in enumerate(self.modules):
            self.handles.append(m.register_forward_hook(self._make(i)))
        return self

    def _make(self, i):
        def hook(mod, args, out):
            self.acts[i] = out
        return hook

    def stats(self):
        return [round(a.detach().std().item(), 2) for _, a in sorted(self.acts.items())]

    def __exit__(self, *exc):
        for h in self.handles:
            h.remove()
        self.handles.clear()
        self.acts.clear()
