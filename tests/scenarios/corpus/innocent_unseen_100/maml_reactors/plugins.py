_TABLE = {}


def plugin(name):
    def deco(cls):
        if name in _TABLE:
            raise KeyError(name)
        _TABLE[name] = cls
        return cls
    return deco


def create(name, **kw):
    return _TABLE[name](**kw)
