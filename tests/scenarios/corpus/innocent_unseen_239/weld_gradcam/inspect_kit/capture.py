from contextlib import AbstractContextManager


class LayerCapture(AbstractContextManager):
    """Collects the outputs of named layers while the context is open."""

    def __init__(self, model, names):
        self.model = model
        self.names = names
        self.outputs = {}
        self._handles = []

    def __enter__(self):
        for name in self.names:
            layer = self.model.get_submodule(name)
            self._handles.append(layer.register_forward_hook(self._make(name)))
        return self

    def _make(self, name):
        def hook(module, args, output):
            self.outputs[name] = output

        return hook

    def __exit__(self, *exc):
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        self.outputs.clear()
        return False
