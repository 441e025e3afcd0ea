class Registry:
    def __init__(self, kind):
        self.kind = kind
        self._items = {}

    def register(self, name):
        def deco(cls):
            self._items[name] = cls
            return cls

        return deco

    def build(self, spec):
        spec = dict(spec)
        return self._items[spec.pop("type")](**spec)


BACKBONES = Registry("backbone")
PROBES = Registry("probe")
