class Capture:
    def __init__(self, net, names):
        self.maps = {n: [] for n in names}
        self.net = net
        self.hooks = []

    def open(self):
        for n in self.maps:
            mod = getattr(self.net, n)
            self.hooks.append(mod.register_forward_hook(lambda m, i, o, n=n: self.maps[n].append(o)))

    def drain(self):
        out = {n: list(v) for n, v in self.maps.items()}
        for v in self.maps.values():
            v.clear()
        return out

    def shut(self):
        while self.hooks:
            self.hooks.pop().remove()
