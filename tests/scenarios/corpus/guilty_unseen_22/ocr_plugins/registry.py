_TABLE = {}


def register(kind, name):
    def wrap(cls):
        key = (kind, name)
        if key in _TABLE:
            raise KeyError(f"{kind}/{name} is taken by {_TABLE[key]!r}")
        _TABLE[key] = cls
        return cls
    return wrap


def build(kind, name, **kwargs):
    return _TABLE[kind, name](**kwargs)
