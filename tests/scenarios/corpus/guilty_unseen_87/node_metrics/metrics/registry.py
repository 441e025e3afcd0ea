_REGISTRY = {}


def register(name):
    def deco(cls):
        _REGISTRY[name] = cls
        return cls
    return deco


def build(name, **kw):
    return _REGISTRY[name](**kw)
