class Tap:
    """Remembers the newest output of the named sub-modules."""

    def __init__(self, net, names):
        self.seen = {}
        self.calls = {n: 0 for n in names}
        modules = dict(net.named_modules())
        self.handles = [modules[n].register_forward_hook(self._hook(n)) for n in names]

    def _hook(self, name):
        def remember(module, args, out):
            self.seen[name] = out
            self.calls[name] += 1
        return remember

    def __getitem__(self, name):
        return self.seen[name]
