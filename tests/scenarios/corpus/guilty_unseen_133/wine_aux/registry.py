_KINDS = {}


def plugin(kind):
    def deco(cls):
        _KINDS[kind] = cls
        return cls
    return deco


def create(body, *, type, **kw):
    return _KINDS[type](body, **kw)
