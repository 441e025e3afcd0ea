class Registry(dict):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def register(self, name):
        def deco(cls):
            if name in self:
                raise KeyError(f"{self.kind} {name!r} registered twice")
            self[name] = cls
            return cls
        return deco

    def build(self, name, **kw):
        return self[name](**kw)


SAMPLERS = Registry("sampler")

from . import samplers  # noqa: E402,F401  (fills the registry)
