class Taps:
    def __init__(self, net, names):
        self.names = names
        self.latest = {}
        mods = dict(net.named_modules())
        self.handles = [mods[n].register_forward_hook(self._make(n)) for n in names]

    def _make(self, name):
        def hook(mod, args, out):
            self.latest[name] = out
        return hook

    def values(self):
        return [self.latest[n] for n in self.names]
