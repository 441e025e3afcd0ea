_TABLE = {}


def register(group, kind):
    def wrap(cls):
        _TABLE[(group, kind)] = cls
        return cls

    return wrap


def build(group, spec):
    options = dict(spec)
    return _TABLE[(group, options.pop("kind"))](**options)
