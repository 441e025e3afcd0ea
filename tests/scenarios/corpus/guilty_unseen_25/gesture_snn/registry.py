_TABLE = {}


def register(name):
    def deco(cls):
        _TABLE[name] = cls
        return cls
    return deco


def build(name, **kw):
    return _TABLE[name](**kw)
