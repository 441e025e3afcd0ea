class Probe(dict):
    """The most recent output of the named layers."""

    def __init__(self, net, names):
        super().__init__()
        self.handles = []
        for name in names:
            layer = net.get_submodule(name)
            self.handles.append(layer.register_forward_hook(self._hook(name)))

    def _hook(self, name):
        def keep(module, args, output):
            self[name] = output
        return keep

    def remove(self):
        for h in self.handles:
            h.remove()
