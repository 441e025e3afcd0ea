class ActivationScope:
    """Context manager: collects outputs of named layers while it is open."""

    def __init__(self, module, names):
        self.module = module
        self.names = names
        self.outputs = {}
        self._handles = []

    def _hook(self, name):
        def keep(_module, _inputs, output):
            self.outputs[name] = output
        return keep

    def __enter__(self):
        for name in self.names:
            layer = self.module.get_submodule(name)
            self._handles.append(layer.register_forward_hook(self._hook(name)))
        return self

    def __exit__(self, *exc):
        for handle in self._handles:
            handle.remove()
        self._handles.clear()
        self.outputs.clear()
        return False
