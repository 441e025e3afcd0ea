"""Name -> class lookup."""


class Registry:
    def __init__(self, kind):
        self.kind = kind
        self._entries = {}

    def register(self, name):
        def wrap(cls):
            if name in self._entries:
                raise KeyError(f"{self.kind} {name!r} registered twice")
            self._entries[name] = cls
            return cls
        return wrap

    def create(self, name, **kwargs):
        try:
            cls = self._entries[name]
        except KeyError:
            raise KeyError(f"unknown {self.kind} {name!r}, have {sorted(self._entries)}") from None
        return cls(**kwargs)


MODELS = Registry("model")
CALLBACKS = Registry("callback")
