class FeatureTaps:
    def __init__(self, net, layers):
        self.net, self.layers = net, layers
        self.features, self._handles = [], []

    def __enter__(self):
        self._handles = [self.net[i].register_forward_hook(self._tap) for i in self.layers]
        return self

    def _tap(self, module, args, output):
        self.features.append(output)

    def __exit__(self, *exc):
        for h in self._handles:
            h.remove()
        self._handles.clear()
        self.features.clear()
