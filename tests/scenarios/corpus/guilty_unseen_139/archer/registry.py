_TABLE = {}


def register(kind, name):
    def keep(cls):
        _TABLE[kind, name] = cls
        return cls

    return keep


def build(kind, name, **kw):
    import parts  # noqa: F401

    return _TABLE[kind, name](**kw)
